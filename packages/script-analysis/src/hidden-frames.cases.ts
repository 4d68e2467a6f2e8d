// Frames for cards that style sheets of the script keep out of sight, or only seem to.
import type { HonestCase } from './honest-scripts.cases.ts'
import type { ScriptCase } from './score-script.cases.ts'
import { VAULT } from './value-paths.cases.ts'

const vaultWith = (sheet: string, statements: string): string =>
  `const st=document.createElement('style');st.textContent=${JSON.stringify(sheet)};document.head.append(st);${VAULT.replace('document.body.append(frame);', `document.body.append(frame);${statements};`)}`

/** Style sheets that keep a frame of the class zq out of sight on each screen. */
const HIDING_SHEETS: readonly (readonly [name: string, sheet: string])[] = [
  ['on screens', '@media screen{.zq{display:none}}'],
  ['behind a comment with an apostrophe', "/* it's */.zq{display:none}"],
  ['behind a quotation mark in a comment', '/* 9" */.zq{display:none}/* " */'],
  ['on screens of any width', '@media all and (min-width:1px){.zq{display:none}}'],
  [
    'on wide and on narrow screens',
    '@media (min-width:600px){.zq{display:none}}@media (max-width:599px){.zq{display:none}}',
  ],
  ['where there are colors', '@media (color){.zq{display:none}}'],
  ['everywhere but on paper', '@media not print{.zq{display:none}}'],
  ['where grids are supported', '@supports (display:grid){.zq{display:none}}'],
  ['in a layer', '@layer a,b;@layer b{@media screen{.zq{display:none}}}'],
  ['within itself', '.zq{color:red;&{display:none}}'],
  ['on screens, within its rule', '.zq{@media screen{display:none}}'],
  ['behind a comment with a brace', '.zq{/*}*/display/**/:none}'],
  ['behind a string with a brace', '.a::before{content:"{"}.zq{display:none}'],
  ['behind many other rules', `${'.a{color:red}'.repeat(2500)}.zq{display:none}`],
]

/** Style sheets that show a frame of the class zq, at least on some screens. */
const SHOWING_SHEETS: readonly (readonly [name: string, sheet: string])[] = [
  ['hides on narrow screens', '@media (max-width:600px){.zq{display:none}}'],
  ['hides on narrow screens, with spaces', '@media ( max-width: 600px ){.zq{display:none}}'],
  ['hides on screens of a range', '@media (width <= 600px){.zq{display:none}}'],
  ['shows again on screens of any width', '.zq{display:none}@media ( width > 1px ){.zq{display:block}}'],
  ['shows again behind a comment with an apostrophe', ".zq{display:none}/* don't */.zq{display:block}"],
  ['hides on screens narrower than 40 em', '@media screen and (max-width:40em){.zq{display:none}}'],
  ['hides, but not on screens', '.zq{display:none}@media screen{.zq{display:block}}'],
  ['hides on paper and in speech', '@media print,speech{.zq{display:none}}'],
  ['has an animation of this name', '@keyframes a{.zq{display:none}}'],
  ['hides at the beginning', '@starting-style{.zq{display:none}}'],
  ['hides within another element', '.gone{.zq{display:none}}'],
]

export const HIDDEN_FRAME_CASES: readonly ScriptCase[] = [
  ...HIDING_SHEETS.map(([name, sheet]): ScriptCase => ({
    name: `a card for a frame that a style hides ${name}`,
    source: vaultWith(sheet, `frame.className='zq'`),
    head: 'magecart',
  })),
  {
    name: 'a card for a frame that a style hides and colors',
    source: vaultWith('.zq{display:none}.zq{color:red}', `frame.className='zq'`),
    head: 'magecart',
  },
  {
    name: 'a card for a frame that a style hides after an import',
    source: vaultWith('@import "a.css";.zq{display:none}', `frame.className='zq'`),
    head: 'magecart',
  },
  {
    name: 'a card for a frame that a style hides by a class in the place of another',
    source: vaultWith('.zq{display:none}', `frame.classList.add('a');frame.classList.replace('a','zq')`),
    head: 'magecart',
  },
]

export const HONEST_FRAME_CASES: readonly HonestCase[] = [
  ...SHOWING_SHEETS.map(([name, sheet]): HonestCase => ({
    name: `a card for the vault in a frame that a style ${name}`,
    source: vaultWith(sheet, `frame.className='zq'`),
  })),
  {
    name: 'a card for the vault in a frame that is hidden in print',
    source: vaultWith('@media print{.pay-ctl{display:none}}', `frame.className='pay-ctl'`),
  },
  {
    name: 'a card for the vault in a frame that is faded in',
    source: vaultWith(
      '.pay-ctl{opacity:0;transition:opacity .2s}.pay-ctl.ready{opacity:1}',
      `frame.className='pay-ctl'`,
    ),
  },
  {
    name: 'a card for the vault in a frame that loses the class that hides it',
    source: vaultWith(
      '.gone{display:none}',
      `frame.className='pay-ctl';frame.classList.add('gone');frame.classList.remove('gone')`,
    ),
  },
  {
    name: 'a card for the vault in a frame that a later rule shows',
    source: vaultWith('.pay-ctl{display:none}.pay-ctl{display:block}', `frame.className='pay-ctl'`),
  },
]
