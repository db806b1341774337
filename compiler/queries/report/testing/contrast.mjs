// Runs in the report, and returns each visible text whose contrast with its background is below the level AA of WCAG.

(() => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (colour) => {
    const [red, green, blue] = colour.map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const box = at.tagName === "g" ? getComputedStyle(at.querySelector("rect")).fill : undefined;
      const colour = rgba(box ?? getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return rgba("white");
  };
  const poor = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.data.trim() === "" || ["SCRIPT", "OPTION"].includes(element.tagName) || !element.checkVisibility())
      continue;
    const style = getComputedStyle(element);
    const colour = rgba(element instanceof SVGElement ? style.fill : style.color);
    const [one, other] = [luminance(colour), luminance(behind(element))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    if (ratio < 4.5)
      poor.set(`${element.tagName}.${element.className}`, `${node.data.trim().slice(0, 30)}: ${ratio.toFixed(2)}`);
  }
  return [...poor];
})();
