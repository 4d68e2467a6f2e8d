// npm run check -- style: house rules that the linter cannot express.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** Limit on lines per function, not counting tables and nested functions (a `create…` factory is a list of those). */
const MAX_FUNCTION_LINES = 80

/**
 * Number of silent defaults that each package still has. A number may only fall: the check fails if a package has more,
 * and also if it has fewer, until the number here is lowered too. Packages not listed have none.
 */
const SILENT_DEFAULTS: Readonly<Record<string, number>> = {
  nameserver: 40,
}

/** Lines of the server without tests: beyond it, a newcomer cannot find a way through (docs/adr/0077). */
const MAX_SERVER_LINES = 58_700

const VAGUE_NAMES = /^(utils?|helpers?|common|misc|shared|stuff|data|info)$/
const KEBAB_FILE = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*\.(ts|tsx|js|mjs|cjs)$/

export interface Complaint {
  readonly line: number
  readonly rule:
    | 'todo-issue'
    | 'as-reason'
    | 'function-lines'
    | 'headline'
    | 'file-name'
    | 'silent-default'
    | 'skip-reason'
    | 'logged-error'
  readonly message: string
}

interface LocatedComplaint extends Complaint {
  readonly path: string
}

/** All style violations in one file. `path` is relative to the repository, with slashes. */
export function complaintsAbout(path: string, text: string): Complaint[] {
  const isProduct = isProductSource(path)
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
  return [
    ...nameComplaints(path),
    ...todoComplaints(text),
    ...(isProduct ? headlineComplaints(path, text) : []),
    ...(isProduct ? assertionComplaints(source) : []),
    ...(isProduct ? loggedErrorComplaints(source) : []),
    ...(isTestSource(path) ? skipComplaints(source) : functionComplaints(source)),
  ].toSorted((a, b) => a.line - b.line)
}

const isTestSource = (path: string): boolean => /\.(test|cases)\.ts$/.test(path) || path.includes('/testing/')

const isProductSource = (path: string): boolean => /^packages\/[^/]+\/src\//.test(path) && !isTestSource(path)

function nameComplaints(path: string): Complaint[] {
  const file = basename(path)
  if (!KEBAB_FILE.test(file)) {
    return [{ line: 1, rule: 'file-name', message: `${file} is not kebab-case with a role suffix` }]
  }
  const vague = path.split('/').find((part) => VAGUE_NAMES.test(part.replace(/\..*$/, '')))
  return vague === undefined
    ? []
    : [{ line: 1, rule: 'file-name', message: `"${vague}" says nothing; name the idea` }]
}

function todoComplaints(text: string): Complaint[] {
  return text.split('\n').flatMap((line, index) =>
    /(\/\/|\*|#)\s*(TODO|FIXME|XXX|HACK)\b(?!\(#\d+\))/.test(line)
      ? [
          {
            line: index + 1,
            rule: 'todo-issue' as const,
            message: 'write TODO(#123): with the issue number, or remove it',
          },
        ]
      : [],
  )
}

function headlineComplaints(path: string, text: string): Complaint[] {
  if (path.endsWith('/index.ts') || /^(\/\/|\/\*)/.test(text)) return []
  return [{ line: 1, rule: 'headline', message: 'begin the file with a one-line comment that describes it' }]
}

/** All nodes of a file, each before those within it. */
function nodesIn(source: ts.SourceFile): readonly ts.Node[] {
  const nodes: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    nodes.push(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return nodes
}

function assertionComplaints(source: ts.SourceFile): Complaint[] {
  const lines = source.text.split('\n')
  const complaints: Complaint[] = []
  for (const node of nodesIn(source)) {
    if (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) {
      const line = source.getLineAndCharacterOfPosition(node.end).line
      const first = source.getLineAndCharacterOfPosition(statementOf(node).getStart()).line
      const commented = lines
        .slice(Math.max(0, first - 1), line + 1)
        .some((row) => /\/\/|\/\*|^\s*\*/.test(row))
      if (!commented) {
        complaints.push({
          line: line + 1,
          rule: 'as-reason',
          message: `"as ${node.type.getText()}" without its reason`,
        })
      }
    }
  }
  return complaints
}

/** Names of caught errors. */
const ERROR_NAMES = ['error', 'failure', 'cause']

/** The log writes message and stack of an `err` only; of other members that are errors, nothing. */
function loggedErrorComplaints(source: ts.SourceFile): Complaint[] {
  const complaints: Complaint[] = []
  for (const node of nodesIn(source)) {
    const fields = ts.isCallExpression(node) && isLogging(node.expression) ? node.arguments[0] : undefined
    if (fields !== undefined && ts.isObjectLiteralExpression(fields))
      for (const member of fields.properties)
        if (isErrorMember(member)) {
          const line = source.getLineAndCharacterOfPosition(member.getStart(source)).line + 1
          const message = 'log an error as "err", or its text as "problem"'
          complaints.push({ line, rule: 'logged-error', message })
        }
  }
  return complaints
}

const isLogging = (called: ts.Expression): boolean =>
  ts.isPropertyAccessExpression(called) &&
  ['debug', 'info', 'warn', 'error'].includes(called.name.text) &&
  /log$/i.test(called.expression.getText())

function isErrorMember(member: ts.ObjectLiteralElementLike): boolean {
  if (ts.isShorthandPropertyAssignment(member)) return ERROR_NAMES.includes(member.name.text)
  if (!ts.isPropertyAssignment(member) || member.name.getText() === 'err') return false
  return ts.isIdentifier(member.initializer) && ERROR_NAMES.includes(member.initializer.text)
}

/** Every `skip`, `skipIf` or `runIf` of a test whose title has no "[needs": a first run fails where it is skipped. */
function skipComplaints(source: ts.SourceFile): Complaint[] {
  const complaints: Complaint[] = []
  for (const node of nodesIn(source)) {
    if (
      ts.isPropertyAccessExpression(node) &&
      isSkip(node) &&
      !isExplained(statementOf(node).getText(source))
    ) {
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
      const message = 'a test skipped without "[needs …]" in its title: use describeWith or testWith'
      complaints.push({ line, rule: 'skip-reason', message })
    }
  }
  return complaints
}

const isSkip = ({ expression, name }: ts.PropertyAccessExpression): boolean =>
  ['skip', 'skipIf', 'runIf'].includes(name.text) && /(?:describe|test|it)$/i.test(expression.getText())

const isExplained = (statement: string): boolean => /^.*(?:\n.*)?\[needs /.test(statement)

function statementOf(node: ts.Node): ts.Node {
  let at = node
  while (!ts.isStatement(at) && !ts.isClassElement(at) && !ts.isSourceFile(at.parent)) at = at.parent
  return at
}

/**
 * Every `?? 0`, `?? ''`, `?? []` and `?? -1` without a `//` reason on its lines or on the line above. If the value
 * should never be missing, such a default hides the bug that makes it missing. Two idioms are exempt:
 * `const [, a] = … ?? []` gives `undefined`, which later code must check; `map.set(key, (map.get(key) ?? 0) + 1)`
 * starts a tally.
 */
export function silentDefaults(path: string, text: string): Complaint[] {
  if (!isProductSource(path) || !text.includes('??')) return []
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
  const lines = text.split('\n')
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line
  const found: Complaint[] = []
  for (const node of nodesIn(source)) {
    if (isEmptyDefault(node) && !isDestructured(node) && !isTally(node)) {
      const line = lineAt(node.right.end)
      const near = lines.slice(Math.max(0, lineAt(node.getStart()) - 1), line + 1)
      if (!near.some((row) => /(^|\s)\/\/ /.test(row))) {
        const message = `"?? ${node.right.getText()}" without its reason; can the value be missing?`
        found.push({ line: line + 1, rule: 'silent-default', message })
      }
    }
  }
  return found
}

function isEmptyDefault(node: ts.Node): node is ts.BinaryExpression {
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken &&
    /^(0|-1|''|\[\])$/.test(node.right.getText())
  )
}

function isDestructured({ parent }: ts.Node): boolean {
  return ts.isVariableDeclaration(parent) && ts.isArrayBindingPattern(parent.name)
}

function isTally(node: ts.BinaryExpression): boolean {
  const [map] = /^.*?(?=\.get\()/s.exec(node.left.getText()) ?? []
  let around = node.parent
  while (!ts.isCallExpression(around) && !ts.isStatement(around) && !ts.isSourceFile(around))
    around = around.parent
  return map !== undefined && ts.isCallExpression(around) && around.expression.getText() === `${map}.set`
}

/** One message for each package whose number of silent defaults differs from the allowed one. */
export function countComplaints(
  found: readonly { readonly path: string }[],
  allowed: Readonly<Record<string, number>>,
): string[] {
  const counts = new Map(Object.keys(allowed).map((name) => [name, 0]))
  for (const { path } of found) {
    const name = path.split('/')[1]
    if (name === undefined) throw new Error(`${path} is in no package`)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].flatMap(([name, count]) => {
    const most = allowed[name] ?? 0
    if (count > most) return [`packages/${name} has ${count} silent defaults, ${most} are allowed`]
    return count < most ? [`packages/${name} has only ${count} silent defaults: lower the ${most} here`] : []
  })
}

function functionComplaints(source: ts.SourceFile): Complaint[] {
  const complaints: Complaint[] = []
  for (const node of nodesIn(source)) {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const own = ownLines(source, node)
      if (own > MAX_FUNCTION_LINES) {
        const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1
        const message = `${own} lines in one function (limit ${MAX_FUNCTION_LINES}); split it or make it a table`
        complaints.push({ line, rule: 'function-lines', message })
      }
    }
  }
  return complaints
}

function ownLines(source: ts.SourceFile, node: ts.Node): number {
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line
  const span = (part: ts.Node): number => lineAt(part.end) - lineAt(part.getStart()) + 1
  let nested = 0
  const visit = (child: ts.Node): void => {
    if (ts.isFunctionDeclaration(child) || isTable(child)) nested += span(child) - 1
    else ts.forEachChild(child, visit)
  }
  ts.forEachChild(node, visit)
  return span(node) - nested
}

/** An object or array of plain values: data of any length. */
function isTable(node: ts.Node): boolean {
  if (!ts.isObjectLiteralExpression(node) && !ts.isArrayLiteralExpression(node)) return false
  let hasFunction = false
  const visit = (child: ts.Node): void => {
    if (ts.isFunctionLike(child)) hasFunction = true
    else ts.forEachChild(child, visit)
  }
  ts.forEachChild(node, visit)
  return !hasFunction
}

function main(): number {
  const tracked = execFileSync('git', [
    'ls-files',
    '-co',
    '--exclude-standard',
    '--',
    '*.ts',
    '*.tsx',
    '*.js',
    '*.cjs',
  ])
  const paths = tracked
    .toString()
    .split('\n')
    .filter((path) => path !== '' && !path.startsWith('.') && existsSync(path))
  const defaults: LocatedComplaint[] = []
  const complaints: LocatedComplaint[] = []
  let serverLines = 0
  for (const path of paths) {
    const text = readFileSync(path, 'utf8')
    if (path.startsWith('packages/server/src/') && isProductSource(path))
      serverLines += text.split('\n').length - 1
    complaints.push(...complaintsAbout(path, text).map((found) => ({ path, ...found })))
    defaults.push(...silentDefaults(path, text).map((found) => ({ path, ...found })))
  }
  const counts = countComplaints(defaults, SILENT_DEFAULTS)
  if (serverLines > MAX_SERVER_LINES)
    counts.push(`packages/server has ${serverLines} lines, ${MAX_SERVER_LINES} are allowed`)
  const listed = process.argv.includes('--defaults') ? [...complaints, ...defaults] : complaints
  for (const { path, line, rule, message } of listed) console.log(`${path}:${line}  ${rule}: ${message}`)
  for (const message of counts)
    console.log(`scripts/style.ts  count: ${message} (--defaults lists silent defaults)`)
  console.log(`${paths.length} files, ${complaints.length + counts.length} complaints`)
  return complaints.length + counts.length === 0 && paths.length > 0 ? 0 : 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main()
