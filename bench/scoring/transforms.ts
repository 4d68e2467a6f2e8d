// Transformations that change how a script looks but not what it does.
import { byNumbers, byTable, inLayers } from './obfuscations.ts'
import { createRandom } from './random.ts'

export interface Transform {
  readonly form: string
  readonly maxLength: number
  /** Returns null if the script cannot be transformed. */
  readonly run: (source: string, seed: string) => Promise<string | null>
}

interface Terser {
  minify: (source: string, options: object) => Promise<{ code?: string }>
}
interface Uglify {
  minify: (source: string, options: object) => { code?: string; error?: Error }
}
interface Obfuscator {
  obfuscate: (source: string, options: object) => { getObfuscatedCode: () => string }
}
interface JsFuck {
  JSFuck: { encode: (source: string, evaluates: boolean) => string }
}

const WITH_STRINGS = { stringArray: true, stringArrayThreshold: 1 }
const OBFUSCATIONS: readonly (readonly [form: string, maxLength: number, options: object])[] = [
  ['obfuscated low', 10_000, { optionsPreset: 'low-obfuscation', selfDefending: false }],
  ['obfuscated medium', 4000, { optionsPreset: 'medium-obfuscation', selfDefending: false }],
  ['obfuscated high', 1500, { optionsPreset: 'high-obfuscation', selfDefending: false }],
  [
    'obfuscated base64',
    12_000,
    { ...WITH_STRINGS, stringArrayEncoding: ['base64'], splitStrings: true, splitStringsChunkLength: 5 },
  ],
  ['obfuscated rc4', 6000, { ...WITH_STRINGS, stringArrayEncoding: ['rc4'] }],
  ['obfuscated default', 10_000, {}],
]

/** All transformations, from modules outside the repository. */
export function createTransforms(load: NodeJS.Require): readonly Transform[] {
  // The versions are pinned; these types cover the used parts of their interfaces.
  const terser = load('terser') as Terser
  // As above.
  const uglify = load('uglify-js') as Uglify
  // As above.
  const obfuscator = load('javascript-obfuscator') as Obfuscator
  // As above.
  const { JSFuck } = load('jsfuck') as JsFuck
  const minify = async (source: string): Promise<string> =>
    (await terser.minify(source, { mangle: true })).code ?? ''
  return [
    { form: 'minified', maxLength: 15_000, run: guarded((source) => minify(source)) },
    {
      form: 'minified by another',
      maxLength: 20_000,
      run: guarded(async (source) => uglify.minify(source, {}).code ?? null),
    },
    ...OBFUSCATIONS.map(([form, maxLength, options]) => ({
      form,
      maxLength,
      run: guarded(async (source, seed) =>
        obfuscator
          .obfuscate(source, { ...options, seed: Math.floor(createRandom(seed)() * 1e6) + 1 })
          .getObfuscatedCode(),
      ),
    })),
    { form: 'six characters', maxLength: 400, run: guarded(async (source) => JSFuck.encode(source, true)) },
    {
      form: 'obfuscated by numbers',
      maxLength: 12_000,
      run: guarded(async (source, seed) => byNumbers(source, seed)),
    },
    {
      form: 'obfuscated by a table',
      maxLength: 20_000,
      run: guarded(async (source, seed) => byTable(await minify(source), seed)),
    },
    {
      form: 'evaluated in layers',
      maxLength: 12_000,
      run: guarded(async (source, seed) => inLayers(await minify(source), seed)),
    },
    { form: 'packed', maxLength: 40_000, run: guarded(async (source) => pack(await minify(source))) },
    {
      form: 'evaluated base64',
      maxLength: 40_000,
      run: guarded(async (source, seed) => (/[^\0-\xFF]/u.test(source) ? null : wrap(source, seed))),
    },
  ]
}

/** Markup is not code; samples that a generator rejects are left out. */
function guarded(run: Transform['run']): Transform['run'] {
  return async (source, seed) => {
    if (source.trimStart().startsWith('<')) return null
    try {
      const made = await run(source, seed)
      return made === '' ? null : made
    } catch {
      // This generator cannot parse it; the sample still has other forms.
      return null
    }
  }
}

function wrap(source: string, seed: string): string {
  const encoded = Buffer.from(source, 'latin1').toString('base64')
  return createRandom(seed)() < 0.5
    ? `eval(atob("${encoded}"))`
    : `(new Function(window.atob("${encoded}")))();`
}

/** The well-known packer: words become numbers in base 62. */
function pack(source: string): string | null {
  const words = [...new Set(source.match(/\b\w+\b/gu))]
  if (words.length === 0 || words.length > 3000) return null
  const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
  const numeral = (n: number): string => (n < 62 ? '' : numeral(Math.floor(n / 62))) + (digits[n % 62] ?? '')
  const index = new Map(words.map((word, i) => [word, numeral(i)]))
  const body = source
    .replaceAll(/\b\w+\b/gu, (word) => index.get(word) ?? word)
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll('\n', ' ')
  return `eval(function(p,a,c,k,e,d){e=function(c){return(c<a?'':e(parseInt(c/a)))+((c=c%a)>35?String.fromCharCode(c+29):c.toString(36))};if(!''.replace(/^/,String)){while(c--){d[e(c)]=k[c]||e(c)}k=[function(e){return d[e]}];e=function(){return'\\\\w+'};c=1};while(c--){if(k[c]){p=p.replace(new RegExp('\\\\b'+e(c)+'\\\\b','g'),k[c])}}return p}('${body}',62,${words.length},'${words.join('|')}'.split('|'),0,{}))`
}
