// Style and script of the API page: the colors and rules of the dashboard, and its filter.

export const API_PAGE_STYLE = `
:root{color-scheme:light dark;--ink:#14201b;--ink-2:#46544e;--ink-3:#5f6d67;--act:#0a6854;--line:#d8dfdc;--line-strong:#a9b4af;--field:#7d8a85;--sheet:#fff;--desk:#eff1f0;--margin:36px}
@media (prefers-color-scheme:dark){:root{--ink:#e5ebe8;--ink-2:#adb9b4;--ink-3:#8b9892;--act:#5ac6a9;--line:#2a3330;--line-strong:#46524d;--field:#6d7a74;--sheet:#151a18;--desk:#0d1110}}
*{box-sizing:border-box}
body{margin:0;font:14px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--sheet)}
aside{position:fixed;inset:0 auto 0 0;width:240px;overflow-y:auto;background:var(--desk);border-right:1px solid var(--line);padding:16px}
aside a{display:block;padding:3px 0;color:var(--ink-2);text-decoration:none;min-height:24px}aside a:hover{color:var(--ink);text-decoration:underline}
aside label{display:block;font-size:12px;color:var(--ink-2)}
aside input{width:100%;height:30px;margin:2px 0 12px;padding:0 8px;border:1px solid var(--field);border-radius:3px;background:var(--sheet);color:var(--ink);font:inherit}
.body{margin-left:240px;border-left:var(--margin) solid transparent;box-shadow:inset 1px 0 var(--line)}
header,main{padding:18px 24px 8px 12px;max-width:1200px}
header p{max-width:76ch}
h1{margin:0;font-size:20px;line-height:28px}h1 small{color:var(--ink-2);font-weight:400;font-size:14px}
h2{margin:28px 0 0;padding:6px 0;font-size:15px;border-bottom:1px solid var(--line-strong)}h3,h4{margin:16px 0 4px;font-size:14px}h4{font-weight:600}
a{color:var(--act)}
code,pre{font:13px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
pre{margin:4px 0;padding:8px 12px;background:var(--desk);border-left:1px solid var(--line-strong);white-space:pre-wrap}
details{border-bottom:1px solid var(--line)}
summary{cursor:pointer;padding:6px 0;display:flex;flex-wrap:wrap;gap:4px 12px;align-items:baseline;min-height:32px}
summary:hover{background:var(--desk)}
summary span{color:var(--ink-2)}summary b{min-width:64px;font:600 13px/1.5 ui-monospace,monospace}summary code{font-weight:600}
details[open]{padding-bottom:16px}
:focus-visible{outline:2px solid var(--act);outline-offset:2px}
.permission{color:var(--ink-2);margin:2px 0}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:5px 12px 5px 0;border-top:1px solid var(--line);font-weight:400}
th i{color:var(--ink-2);font-size:12px;font-style:normal}
[hidden]{display:none!important}
@media (max-width:720px){aside{position:static;width:auto;border:0}aside nav{max-height:168px;overflow-y:auto}.body{margin-left:0;border-left-width:16px;box-shadow:none}header,main{padding-right:16px}th,td{display:block;border:0;padding:1px 0}tr{display:block;border-top:1px solid var(--line);padding:6px 0}}
`

/** Shows the operations that have every word in their method, path, name or summary; opens the one of the address. */
export const API_PAGE_SCRIPT = `
const field = document.getElementById('filter')
const found = document.getElementById('found')
const operations = [...document.querySelectorAll('details')]
function show() {
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean)
  let count = 0
  for (const operation of operations) {
    const text = (operation.id + ' ' + operation.firstElementChild.textContent).toLowerCase()
    operation.hidden = !words.every((word) => text.includes(word))
    if (!operation.hidden) count += 1
  }
  for (const section of document.querySelectorAll('main > section'))
    section.hidden = words.length > 0 && section.querySelector('details:not([hidden])') === null
  found.textContent = words.length === 0 ? '' : count + (count === 1 ? ' operation' : ' operations')
}
function openTarget() {
  const target = document.getElementById(location.hash.slice(1))
  if (target instanceof HTMLDetailsElement) target.open = true
}
field.addEventListener('input', show)
field.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return
  field.value = ''
  show()
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target instanceof HTMLInputElement) return
  event.preventDefault()
  field.focus()
})
addEventListener('hashchange', openTarget)
document.getElementById('search').hidden = false
show()
openTarget()
`
