
// ---- start.js: what the data in the page is, and asking the server for more. ----

// Asks again and again; a server says by `ETag` that nothing changed. Slow answers are asked for less often.
async function follow(url, take) {
  let tag = null;
  for (let failures = 0; ;) {
    const began = performance.now();
    try {
      const answer = await fetch(url, { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
      failures = 0;
      if (answer.status === 200) {
        tag = answer.headers.get("ETag");
        if (take(await answer.json()) === false) return;
      } else if (answer.status !== 304) {
        throw new Error((await answer.text()) || answer.statusText);
      }
    } catch (error) {
      failures += 1;
      take(null, String(error.message || error));
    }
    const took = performance.now() - began;
    await new Promise((resolve) => setTimeout(resolve, Math.min(30_000, Math.max(1000, took * 4) * 2 ** Math.min(failures, 5))));
  }
}

function refuse(text) {
  append(document.body, [h("p", { class: "remark alone", role: "alert" }, text)]);
}

function start() {
  setTheme(THEMES.includes(kept.get("theme")) ? kept.get("theme") : "auto");
  const data = JSON.parse(document.getElementById("data").textContent);
  const isReadable = (doc) => doc.format === "ptc-view" && doc.version === 1;
  if (data.format) {
    if (isReadable(data)) viewer.open(data, null); else refuse(`This page shows version 1 of its data, and this is version ${data.version}.`);
    return;
  }
  let isOpen = false;
  const problem = (text) => {
    if (isOpen && data.show === "diff") replace(diffPage.state, `ptc view does not answer: ${text}`);
    else if (isOpen && data.show === "gateway") replace(gatewayPage.state, `ptc view does not answer: ${text}`);
    else if (isOpen && data.show === "run") viewer.tell(`ptc view does not answer: ${text}`);
    else if (!isOpen) replace(document.body, h("p", { class: "remark alone", role: "alert" }, text));
  };
  if (data.show === "run") {
    follow(data.url, (doc, failed) => {
      if (!doc) return problem(failed);
      if (isOpen) viewer.update(doc);
      else { replace(document.body); viewer.open(doc, data.list); isOpen = true; }
      return doc.live;
    });
  } else if (data.show === "diff") {
    follow(data.url, (diff, failed) => {
      if (!diff) return problem(failed);
      if (!isOpen) { replace(document.body); diffPage.open(data); isOpen = true; }
      diffPage.update(diff);
      return diff.live;
    });
  } else if (data.show === "gateway") {
    follow(data.url, (gateway, failed) => {
      if (!gateway) return problem(failed);
      if (!isOpen) { replace(document.body); gatewayPage.open(data); isOpen = true; }
      gatewayPage.update(gateway);
    });
  } else {
    runsPage.open();
    follow(data.url, (list, failed) => (list ? runsPage.update(list) : replace(runsPage.count, `ptc view does not answer: ${failed}`)));
  }
}

start();
