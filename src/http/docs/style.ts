/** The page's own style sheet, light and dark; the content policy names its hash. */
export const style = `
:root {
  --ink: #1c2024; --soft: #5b6470; --line: #e3e6ea; --paper: #ffffff; --side: #f7f8f9; --code: #f1f3f5;
  --accent: #b3261e; --get: #0b6bcb; --post: #14804a; --put: #9a5b00; --del: #c0262d; --block: #14181d;
  --block-ink: #e6e9ed; --block-soft: #98a2ae;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6e8ea; --soft: #9aa4af; --line: #2a3037; --paper: #121518; --side: #171b1f; --code: #22282e;
    --accent: #ff8a80; --get: #6cb2ff; --post: #5ecb8f; --put: #e5b05c; --del: #ff8b8f; --block: #0b0d0f;
  }
}
* { box-sizing: border-box }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100% }
body { margin: 0; color: var(--ink); background: var(--paper);
  font: 15px/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif }
a { color: inherit; text-decoration-color: var(--soft); text-underline-offset: 3px }
a:hover { color: var(--accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px }
code, pre { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace }
code { font-size: .88em; background: var(--code); padding: .1em .35em; border-radius: 4px; overflow-wrap: anywhere }
.skip { position: absolute; left: -99em }
.skip:focus { left: 1rem; top: 1rem; z-index: 2; background: var(--paper); padding: .5rem 1rem }

nav { position: fixed; inset: 0 auto 0 0; width: 290px; overflow-y: auto; padding: 1.5rem 1.25rem 3rem;
  background: var(--side); border-right: 1px solid var(--line); font-size: 14px }
nav a { text-decoration: none }
nav .brand { font-size: 1.25rem; font-weight: 700; letter-spacing: -.02em; color: var(--ink) }
nav h2 { margin: 1.75rem 0 .5rem; font-size: .75rem; letter-spacing: .06em; text-transform: uppercase;
  color: var(--soft); font-weight: 600 }
nav ul { list-style: none; margin: 0; padding: 0 }
nav li a { display: flex; gap: .5rem; align-items: baseline; padding: .2rem .5rem; margin: 0 -.5rem; border-radius: 6px }
nav li a:hover { background: var(--code) }
nav li span:last-child { overflow-wrap: anywhere }
nav summary { cursor: pointer; padding: .2rem .5rem; margin: 0 -.5rem; border-radius: 6px; font-weight: 500 }
nav summary:hover { background: var(--code) }
nav details ul { padding: .1rem 0 .5rem .75rem; font-size: 13px }
nav input { position: absolute; opacity: 0; pointer-events: none }
nav label { display: none }

main { margin-left: 290px; padding: 3rem clamp(1.25rem, 4vw, 4rem) 6rem; max-width: 1500px }
h1 { font-size: 2.5rem; line-height: 1.15; letter-spacing: -.03em; margin: 0 0 .75rem }
h2 { font-size: 1.6rem; letter-spacing: -.02em; margin: 0 0 .75rem; line-height: 1.25 }
h3 { font-size: 1.25rem; letter-spacing: -.01em; margin: 2.5rem 0 0; padding-bottom: .5rem }
h4 { font-size: 1.05rem; margin: 0 }
.top p { max-width: 68ch; color: var(--soft); font-size: 1.05rem; margin: 0 0 1rem }
.links { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem }
.chapter { max-width: 820px; padding-top: 2.75rem }
.chapter p { max-width: 72ch }
.part { border-top: 1px solid var(--line); margin-top: 4rem; padding-top: 3rem }

.operation { border: 1px solid var(--line); border-radius: 12px; margin: 1.25rem 0 2rem; padding: 1.25rem 1.5rem 1.5rem }
.operation:target { border-color: var(--accent) }
.operation header p { margin: .35rem 0 0 }
.address { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center }
.address code { font-size: .95rem; background: none; padding: 0 }
.self { color: var(--soft); text-decoration: none }
.scopes { color: var(--soft); font-size: 13.5px }
.flag { font-size: .7rem; font-weight: 600; padding: .15em .5em; border-radius: 99px; border: 1px solid var(--put);
  color: var(--put); vertical-align: middle }
.method { font: 600 11px/1.5 ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; letter-spacing: .03em;
  padding: .1em .5em; border-radius: 5px; color: var(--soft); border: 1px solid currentColor; flex: none }
.method.get { color: var(--get) } .method.post { color: var(--post) }
.method.put, .method.patch { color: var(--put) } .method.delete { color: var(--del) }
nav .method { border: 0; padding: 0; width: 2.3rem; font-size: 10px }
.columns { display: grid; grid-template-columns: minmax(0, 1.25fr) minmax(0, 1fr); gap: 1.75rem; margin-top: .75rem }
.facts > details > summary { cursor: pointer; font-weight: 600; padding: .45rem 0 }
.facts > details { border-bottom: 1px solid var(--line) }
.facts details > p { margin: 0 0 .5rem }
.errors { color: var(--soft); margin: .75rem 0 0 }
.errors a { font: 13px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; margin-right: .35rem }

table { width: 100%; border-collapse: collapse; margin: 0 0 .9rem; font-size: 13.5px; line-height: 1.5 }
.chapter table { margin: 1rem 0 }
th { text-align: left; font-weight: 500; color: var(--soft); font-size: 12px; padding: .25rem .75rem .25rem 0 }
td { vertical-align: top; padding: .4rem .75rem .4rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere }
td:first-child { width: 30% } td.type, td:nth-child(2):not(:last-child) { width: 24% }
td.type, .limits { color: var(--soft) }
tr:target td { background: var(--code) }
.choices { display: block; color: var(--soft) }
.required { color: var(--accent); font-size: 11.5px; font-weight: 500; margin-left: .5em }
.operator { margin-right: .1em }
figure { margin: 0 0 1rem; border-radius: 10px; background: var(--block); color: var(--block-ink); overflow: hidden;
  border: 1px solid var(--line) }
figcaption { font-size: 12px; color: var(--block-soft); padding: .6rem 1rem 0 }
pre { margin: 0; padding: .6rem 1rem 1rem; font-size: 12.5px; line-height: 1.55; white-space: pre-wrap; overflow-wrap: anywhere;
  overflow-y: auto; max-height: 30rem;
  user-select: all }

@media (max-width: 1180px) { .columns { grid-template-columns: minmax(0, 1fr) } }
@media (max-width: 800px) {
  nav { position: sticky; top: 0; inset: auto; width: auto; max-height: 100vh; padding: .75rem 1rem; z-index: 1;
    border-right: 0; border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between }
  nav label { display: block; cursor: pointer; color: var(--soft) }
  nav input:focus-visible + label { outline: 2px solid var(--accent) }
  nav .tree { display: none; flex-basis: 100%; padding-bottom: 1rem }
  nav input:checked ~ .tree { display: block }
  html { scroll-padding-top: 4rem }
  main { margin-left: 0; padding-top: 1.75rem }
  h1 { font-size: 2rem }
  .operation { padding: 1rem; border-radius: 10px }
  thead { display: none }
  tr { display: block; border-top: 1px solid var(--line); padding: .5rem 0 }
  td, td:first-child, td.type, td:nth-child(2):not(:last-child) { display: block; width: auto; border: 0; padding: .05rem 0 }
}
@media print { nav { display: none } main { margin: 0 } .operation { break-inside: avoid } }
`
