// Checks and pictures, one after the other, and what was measured at the end.
import { openBrowser } from "../screens/browser.mjs";
import { packageChecks } from "./package.mjs";
import { pageChecks, pictures } from "./page.mjs";
import { summary } from "./summary.mjs";

const what = process.argv[2];
const browser = await openBrowser();
let failed = 0;
const parts = { ...(what === "pictures" ? {} : { ...packageChecks, ...pageChecks, ...summary }), ...(what === "check" ? {} : pictures) };
for (const [name, part] of Object.entries(parts)) {
  try {
    const said = await part(browser);
    console.log(`ok      ${name}${said ? `: ${said}` : ""}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}: ${error.stack || error}`);
  }
}
await browser.close();
process.exit(failed ? 1 : 0);
