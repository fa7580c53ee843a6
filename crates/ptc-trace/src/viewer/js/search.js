
// ---- search.js: finding text in all turns of a run and of the agents below it. ----

const finding = { query: "", places: [], ranges: [], at: -1 };

// What can be found of a turn. A program is looked at once, not again in the answer that it came in.
function findable(turn) {
  if (!turn.findable) {
    const calls = (turn.calls || []).flatMap((call) => [call.tool, call.args, call.result]);
    const sent = turn.request ? turn.request.add.map((message) => message.text) : [];
    const parts = [turn.error, turn.program, prose(turn), ...calls, ...(turn.prints || []), turn.result && turn.result.text, turn.reasoning, ...sent];
    turn.findable = parts.filter(Boolean).join("\n").toLowerCase();
  }
  return turn.findable;
}

function hitsIn(text, query) {
  let count = 0;
  for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) count += 1;
  return count;
}

// All turns with hits, in order: `{ run, number, hits }`.
function find(root, query) {
  if (!query) return [];
  return withBelow(root).flatMap((run) => {
    const turns = run.turns.map((turn) => ({ run, number: turn.number, hits: hitsIn(findable(turn), query) }));
    const own = hitsIn((run.view.mission || "").toLowerCase(), query) + hitsIn(run.view.answer ? run.view.answer.text.toLowerCase() : "", query);
    return [{ run, number: 0, hits: own }, ...turns].filter((place) => place.hits > 0);
  });
}

// Mark the hits in what is shown, without touching its elements.
function markHits(main) {
  finding.ranges = [];
  if (finding.query) {
    for (const part of main.querySelectorAll("[data-find]")) {
      const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      const nodes = [];
      let text = "";
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        nodes.push({ node, at: text.length });
        text += node.data;
      }
      const lower = text.toLowerCase();
      if (lower.length !== text.length) continue;
      const pointAt = (offset) => {
        const found = nodes.findLast(({ at }) => at <= offset);
        return [found.node, offset - found.at];
      };
      for (let at = lower.indexOf(finding.query); at >= 0; at = lower.indexOf(finding.query, at + finding.query.length)) {
        const range = new Range();
        range.setStart(...pointAt(at));
        range.setEnd(...pointAt(at + finding.query.length));
        finding.ranges.push(range);
      }
    }
  }
  if (window.CSS && CSS.highlights) {
    if (finding.ranges.length) CSS.highlights.set("hit", new Highlight(...finding.ranges));
    else CSS.highlights.delete("hit");
    CSS.highlights.delete("here");
  }
}

function showHit(index) {
  const range = finding.ranges[index];
  finding.at = index;
  if (!range) return;
  for (let parent = range.startContainer.parentElement; parent; parent = parent.parentElement) if (parent.tagName === "DETAILS") parent.open = true;
  if (window.CSS && CSS.highlights) CSS.highlights.set("here", new Highlight(range));
  const element = range.startContainer.parentElement;
  element.scrollIntoView({ block: "center", inline: "nearest" });
  const box = range.getBoundingClientRect();
  const pane = viewer.main.getBoundingClientRect();
  if (box.top < pane.top || box.bottom > pane.bottom) viewer.main.scrollBy(0, box.top - pane.top - pane.height / 2);
}
