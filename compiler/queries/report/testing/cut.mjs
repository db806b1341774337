// Runs in the report, and returns each part of a drawing that is cut off, and each header with a line break inside a
// name.

(() => {
  const found = [];
  const isInside = (inner, outer) =>
    inner.left >= outer.left - 0.5 &&
    inner.right <= outer.right + 0.5 &&
    inner.top >= outer.top - 0.5 &&
    inner.bottom <= outer.bottom + 0.5;
  for (const figure of document.querySelectorAll("figure.drawing")) {
    const seen = [...figure.querySelectorAll("svg")].filter((svg) => svg.checkVisibility());
    const name = figure.getAttribute("aria-label");
    if (seen.length !== 1) found.push(`${name}: ${seen.length} drawings`);
    if (figure.scrollWidth > figure.clientWidth || figure.scrollHeight > figure.clientHeight)
      found.push(`${name}: scrolls`);
    for (const svg of seen) {
      const frame = svg.getBoundingClientRect();
      const size = Number.parseFloat(getComputedStyle(svg.querySelector("text")).fontSize);
      if ((size * frame.width) / svg.viewBox.baseVal.width < 8) found.push(`${name}: its letters are too small`);
      if (!isInside(frame, figure.getBoundingClientRect())) found.push(`${name}: leaves its figure`);
      for (const part of svg.querySelectorAll("text, rect, .edge"))
        if (!isInside(part.getBoundingClientRect(), frame))
          found.push(`${name}: ${part.textContent || part.tagName} leaves the drawing`);
      for (const box of svg.querySelectorAll(".box"))
        for (const text of box.querySelectorAll("text"))
          if (!isInside(text.getBoundingClientRect(), box.querySelector("rect").getBoundingClientRect()))
            found.push(`${name}: ${text.textContent} leaves its box`);
    }
  }
  for (const heading of document.querySelectorAll("th, h1, h2, h3, h4, header .name")) {
    if (!heading.checkVisibility()) continue;
    const walker = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.push(`${heading.closest("[id]")?.id}: ${word} is on ${lines.size} lines`);
      }
    }
  }
  return found;
})();
