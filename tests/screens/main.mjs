// Checks and pictures, one after the other. Each is a function of the browser and of a folder with runs; another kind of
// picture, such as that of a terminal, is another file beside `pictures.mjs` and a line here.
import { openBrowser } from "./browser.mjs";
import { checks } from "./checks.mjs";
import { makeRuns } from "./missions.mjs";
import { pictures } from "./pictures.mjs";

const what = process.argv[2];
const runs = await makeRuns();
const browser = await openBrowser();
let failed = 0;
const parts = { ...(what === "pictures" ? {} : checks), ...(what === "check" ? {} : pictures) };
for (const [name, part] of Object.entries(parts)) {
  try {
    const said = await part(browser, runs);
    console.log(`ok      ${name}${said ? `: ${said}` : ""}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}: ${error.stack || error}`);
  }
}
await browser.close();
runs.end();
process.exit(failed ? 1 : 0);
