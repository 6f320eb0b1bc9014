// Colours, type and spacing. Every colour is a pair: light, dark.

/** Custom properties of all pages. */
export const themeStyles = `:root {
  color-scheme: light dark;
  --bg: light-dark(#fbfbf9, #0f1213);
  --surface: light-dark(#ffffff, #161a1c);
  --sunken: light-dark(#f3f3ef, #1b2022);
  --text: light-dark(#1b1e20, #e4e8e7);
  --muted: light-dark(#585f64, #9ca6a8);
  --line: light-dark(#e4e4de, #272d30);
  --edge: light-dark(#868d91, #6d777b);
  --accent: light-dark(#0a6459, #5fcbb6);
  --accent-strong: light-dark(#084f46, #8adfce);
  --accent-soft: light-dark(#e1f1ed, #143430);
  --on-accent: light-dark(#ffffff, #06211d);
  --good: light-dark(#1b6b2f, #7bd08c);
  --good-soft: light-dark(#e4f3e5, #17301c);
  --warn: light-dark(#7f4d00, #ecbb66);
  --warn-soft: light-dark(#fcf0d7, #362a12);
  --bad: light-dark(#a8201a, #ff9a90);
  --bad-soft: light-dark(#fce8e5, #3c1a17);
  --focus: light-dark(#0b57d0, #9cc2ff);
  --heat-1: light-dark(#e6f2ee, #132b27);
  --heat-2: light-dark(#c6e5dc, #163c36);
  --heat-3: light-dark(#9dd3c5, #184d45);
  --heat-4: light-dark(#6cbca9, #1a5f55);
  --heat-5: light-dark(#45a590, #1c7064);
  --sans: "Inter", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, "Noto Sans CJK SC", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace;
  --small: 0.8125rem;
  --tiny: 0.75rem;
  --radius: 6px;
  --gap: 1rem;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
`;
