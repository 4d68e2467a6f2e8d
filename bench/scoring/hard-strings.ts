// Slow inputs for the scorer: one fragment repeated up to the limit, endless loops, and scripts of realistic length.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createTransforms } from './transforms.ts'

export interface HardText {
  readonly name: string
  readonly source: string
}

const LENGTH = 300_000
const CHUNKS = [
  '(',
  '[',
  '{',
  '"a"+',
  '"a",',
  '\\x41',
  '%41',
  '<script',
  '<script>',
  '<!--',
  '/*',
  'a.',
  'a=>',
  'a?b:',
  '`${',
  '`a`',
  'new ',
  '![]+',
  'x;',
  '"\\',
  'f(',
  'const {a}=b;',
  'A',
  '1,',
  'eval("a+1");',
  'document.write("<script>a()</script>");',
]
const full = (chunk: string): string => chunk.repeat(Math.floor(LENGTH / chunk.length))
const nested = (open: string, close: string, depth: number): string =>
  `x=${open.repeat(depth)}a${close.repeat(depth)}`
const numbered = (count: number, make: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join('')

export const HARD_STRINGS: readonly HardText[] = [
  ...CHUNKS.map((chunk) => ({ name: `${JSON.stringify(chunk)} again and again`, source: full(chunk) })),
  { name: 'conditions in conditions', source: nested('a?', ':b', 60_000) },
  { name: 'brackets in brackets', source: nested('(', ')', 100_000) },
  { name: 'templates in templates', source: nested('`${', '}`', 40_000) },
  { name: '30,000 texts', source: `x=[${numbered(30_000, (i) => `"t${i}",`)}]` },
  { name: '6000 pictures asked for', source: numbered(6000, (i) => `new Image().src='//h${i}.example/';`) },
  { name: '8000 functions', source: numbered(8000, (i) => `function f${i}(a){return a+${i}}`) },
  { name: 'a text grows without end', source: `var s='';for(;;)s+=String.fromCharCode(97)` },
  { name: 'an object grows without end', source: `var a={};for(var i=0;;i++)a['k'+i]='v'+i` },
  { name: 'a list as a text', source: `var a=[];for(i=0;i<9999;i++)a.push(x);for(;;)b=a+''` },
  { name: 'lists in lists as a text', source: `var a=[1,2,3,4];for(;;){a=[a,a,a,a,a];b=a+''}` },
  { name: 'escapes decoded without end', source: `var s='${'%41'.repeat(60_000)}';for(;;)unescape(s)` },
  { name: 'base64 decoded without end', source: `var s='${'QUJD'.repeat(50_000)}';for(;;)atob(s)` },
  { name: 'replaced without end', source: `var s='${'ab'.repeat(60_000)}';for(i=0;;i++)s.replace(/a/g,i)` },
  {
    name: 'cut up and joined',
    source: `var s='${'a|'.repeat(99_000)}';for(;;)s.split('|').reverse().join('')`,
  },
  { name: 'code evaluated without end', source: `for(var i=0;;i++)eval('var abcdef='+i)` },
  { name: 'long code evaluated', source: `var s='${'a;'.repeat(99_000)}';for(i=0;;i++)eval(s+i)` },
  {
    name: 'markup written without end',
    source: `for(var i=0;;i++)document.write('<script>a='+i+'</script>')`,
  },
  { name: 'pictures without end', source: `for(var i=0;;i++)new Image().src='//a.example/'+i` },
]

const MIN_LARGE = 40_000
const MAX_LARGE_FILES = 40

/** Files of the packages in the cache that are too large for the data and can be scored, one a package, and obfuscated ones. */
export async function readLargeScripts(cache: string): Promise<readonly HardText[]> {
  const packages = join(cache, 'packages')
  const files = readdirSync(packages)
    .toSorted()
    .flatMap((name) => largestOf(join(packages, name)) ?? [])
    .slice(0, MAX_LARGE_FILES)
  const plain = files.map((file) => ({
    name: file.slice(packages.length + 1),
    source: readFileSync(file, 'utf8'),
  }))
  const transforms = createTransforms(createRequire(join(cache, 'generators', 'here.js')))
  const obfuscated: HardText[] = []
  for (const { form, run } of transforms) {
    const source = await run(form === 'six characters' ? 'alert("a text")' : WORDY, 'large')
    if (source !== null && source.length <= LENGTH) obfuscated.push({ name: `${form}, large`, source })
  }
  return [...plain, ...obfuscated]
}

/** Some 5 kB of code full of texts, which obfuscators make much of. */
const WORDY = numbered(
  60,
  (i) =>
    `document.getElementById('id${i}').addEventListener('click',function(){window.state${i}='text ${i}'+location.pathname;if(window.state${i}.length>${i})console.log('long',${i})});\n`,
)

function largestOf(folder: string): string | null {
  const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:js|cjs|mjs)$/u.test(file))
    .map((file) => ({ file: join(folder, file), size: statSync(join(folder, file)).size }))
    .filter(({ size }) => size > MIN_LARGE && size <= LENGTH)
  return sizes.toSorted((a, b) => b.size - a.size)[0]?.file ?? null
}
