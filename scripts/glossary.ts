// npm run check -- style: names use the field's standard terms (docs/adr/0057-words-of-the-glossary.md).
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

type Kind = 'file' | 'function' | 'value' | 'type' | 'member'

interface Term {
  /** Matched against the words of a name in lower case, separated by spaces. */
  readonly not: RegExp
  readonly use: string
  /** Only names of these kinds. */
  readonly kinds?: readonly Kind[]
  /** Only files whose path matches. */
  readonly path?: RegExp
}

export interface Mention {
  readonly line: number
  readonly name: string
  readonly use: string
}

/** Excludes `*.test.ts` and similar files, where a function of one word reads as a step of the test. */
const PRODUCT = /^packages\/[^/]+\/src\/(?!testing\/|.*\.(test|cases)\.ts$)/

const TERMS: readonly Term[] = [
  { not: /\basides?\b/, use: 'offload, dispatchSlow or rebuildAndSwap' },
  { not: /\b(told|tells?)\b/, use: 'notified, reported; notify, report' },
  { not: /\bdemand(s|ed)?\b/, use: 'requireX or getXOrThrow' },
  { not: /^refuse$/, use: 'throwIfIssues or reject' },
  { not: /\busual\b/, use: 'default' },
  { not: /\bblanks\b/, use: 'whitespace' },
  { not: /\btexts\b/, use: 'strings' },
  { not: /\b(surroundings|natures?)\b|^says$/, use: 'context, scope or description' },
  { not: /\b(portion|piece)s?\b/, use: 'chunk' },
  { not: /\b(at once)$/, use: 'CHUNK_SIZE', kinds: ['value'] },
  { not: /^open changes$/, use: 'beginChangeSet' },
  { not: /\bplacing\b/, use: 'coexistence' },
  { not: /\bquick\b/, use: 'fast path' },
  { not: /\bpacked names?\b/, use: 'wire index' },
  { not: /\bmade names?\b/, use: 'synthesized answers' },
  { not: /\bserving\b/, use: 'publication' },
  { not: /\bsurveys?\b/, use: 'DNS scan' },
  { not: /\b(gathering|sightings?)\b/, use: 'batch buffer; detection' },
  {
    not: /\bexchange\b/,
    use: 'message handler, query or key rollover',
    path: /\/(nameserver\/src|resolver|dnssec|transfers)\//,
    kinds: ['file', 'type'],
  },
  { not: /\bprevious (firewall|waf|decision|rule|package|managed)\b/, use: 'legacy' },
  { not: /\bfollowed\b/, use: 'secondary' },
  { not: /\blanes?\b/, use: 'keyed queue' },
  { not: /\b(lures?|harvest)\b/, use: 'phishing; skimming' },
  { not: /\b(cutter|intake|displaced)\b/, use: 'splitter, parser, evicted' },
  { not: /^step zone$/, use: 'bumpSerial' },
  { not: /^asks$|\bjudges body\b/, use: 'readOnly; validatesOwnBody' },
  { not: /\b(door|room)s?\b/, use: 'interface, module; budget, capacity' },
  { not: /\b(nobody|whoever|askers?)\b/, use: 'client or caller' },
  { not: /^(settled|wanted|noted|met|kept)$/, use: 'a noun that says what it holds' },
  {
    not: /^(found|gone|given|held|kept|known|left|made|met|sent|shown|taken|thrown|told|written)$|^(?!(embed|exceed|feed|heed|need|proceed|seed|speed|succeed)$)[a-z]+ed$/,
    use: 'a verb and its object',
    kinds: ['function'],
    path: PRODUCT,
  },
]

/** Exempt names, each with its reason. */
const EXCEPTIONS: readonly { readonly name: RegExp; readonly path: RegExp; readonly reason: string }[] = [
  {
    name: /./,
    path: /^packages\/storage\/src\/(migrations|tables)\/|\/row-shapes\.ts$/,
    reason: 'names of migrations, tables and columns are stored',
  },
  {
    name: /^quick_check$/,
    path: /\/storage\/src\/loss-check\.ts$/,
    reason: 'the pragma of SQLite',
  },
  {
    name: /^exchange$/,
    path: /./,
    reason: 'the member of MX records (RFC 1035 §3.3.9)',
  },
  {
    name: /^(texts|arraysOfTexts)$/,
    path: /^packages\/script-analysis\/src\//,
    reason: 'features of the trained model are read by these names',
  },
  {
    name: /^texts$/,
    path: /^packages\/dns\/src\/rdata\/txt/,
    reason: 'the presentation format of TXT',
  },
]

/** Splits a name into lower-case words: `demandZone`, `DEMAND_ZONE` and `demand-zone.ts` all give `demand zone`. */
export const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase()

/** Every name declared in a file, and the file's own name, that uses a word the glossary replaces. */
export function mentionsIn(path: string, text: string): Mention[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
  const found = termsFor(path, path.replace(/\.\w+$/, ''), 'file').map((use) => ({
    line: 1,
    name: path,
    use,
  }))
  const visit = (node: ts.Node): void => {
    const declared = declaredBy(node)
    if (declared !== undefined) {
      const line = source.getLineAndCharacterOfPosition(declared.name.getStart()).line + 1
      const { text: name } = declared.name
      found.push(...termsFor(path, name, declared.kind).map((use) => ({ line, name, use })))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function termsFor(path: string, name: string, kind: Kind): string[] {
  const isException = EXCEPTIONS.some((one) => one.path.test(path) && one.name.test(name))
  if (isException) return []
  const parts = kind === 'file' ? name.split('/').map(wordsOf) : [wordsOf(name)]
  return TERMS.filter(
    (term) =>
      (term.kinds === undefined || term.kinds.includes(kind)) &&
      (term.path === undefined || term.path.test(path)) &&
      parts.some((words) => term.not.test(words)),
  ).map((term) => term.use)
}

interface Declared {
  readonly name: ts.Identifier | ts.PrivateIdentifier
  readonly kind: Kind
}

function declaredBy(node: ts.Node): Declared | undefined {
  if (ts.isFunctionDeclaration(node)) return named(node.name, 'function')
  if (ts.isVariableDeclaration(node))
    return named(node.name, isFunction(node.initializer) ? 'function' : 'value')
  if (ts.isParameter(node)) return named(node.name, 'value')
  // A binding without its own name repeats a member's name, which is reported at its declaration.
  if (ts.isBindingElement(node) && node.propertyName !== undefined) return named(node.name, 'value')
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node))
    return named(node.name, 'type')
  if (ts.isMethodSignature(node) || ts.isMethodDeclaration(node)) return named(node.name, 'member')
  if (ts.isPropertySignature(node) || ts.isPropertyDeclaration(node)) return named(node.name, 'member')
  return undefined
}

const isFunction = (node: ts.Expression | undefined): boolean =>
  node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node))

const named = (name: ts.Node | undefined, kind: Kind): Declared | undefined =>
  name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) ? { name, kind } : undefined

function main(): number {
  const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', '*.ts', '*.md'])
  const paths = tracked
    .toString()
    .split('\n')
    .filter((path) => path !== '' && !path.startsWith('fixtures/') && existsSync(path))
  const found = paths.flatMap((path) =>
    mentionsIn(path, path.endsWith('.ts') ? readFileSync(path, 'utf8') : '').map((mention) => ({
      path,
      ...mention,
    })),
  )
  for (const { path, line, name, use } of found) console.log(`${path}:${line}  ${name}: use ${use}`)
  console.log(`${paths.length} files, ${found.length} names`)
  return found.length === 0 && paths.length > 0 ? 0 : 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main()
