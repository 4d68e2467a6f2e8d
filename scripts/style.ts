// npm run check -- style: house rules that the linter has no word for.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** Lines of one function, not counting tables and functions declared inside it (a `create…` factory is a list of those). */
const MAX_FUNCTION_LINES = 80

const VAGUE_NAMES = /^(utils?|helpers?|common|misc|shared|stuff|data|info)$/
const KEBAB_FILE = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*\.(ts|tsx|js|mjs|cjs)$/

export interface Complaint {
  readonly line: number
  readonly rule: 'todo-issue' | 'as-reason' | 'function-lines' | 'headline' | 'file-name'
  readonly message: string
}

/** All that house style has against one file. `path` is relative to the repository, with slashes. */
export function complaintsAbout(path: string, text: string): Complaint[] {
  const isTest = /\.(test|cases)\.ts$/.test(path) || path.includes('/testing/')
  const isProduct = /^packages\/[^/]+\/src\//.test(path) && !isTest
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
  return [
    ...nameComplaints(path),
    ...todoComplaints(text),
    ...(isProduct ? headlineComplaints(path, text) : []),
    ...(isProduct ? assertionComplaints(source) : []),
    ...(isTest ? [] : functionComplaints(source)),
  ].toSorted((a, b) => a.line - b.line)
}

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
            message: 'write TODO(#123): with the issue, or nothing',
          },
        ]
      : [],
  )
}

function headlineComplaints(path: string, text: string): Complaint[] {
  if (path.endsWith('/index.ts') || /^(\/\/|\/\*)/.test(text)) return []
  return [{ line: 1, rule: 'headline', message: 'begin the file with one line that says what it is' }]
}

function assertionComplaints(source: ts.SourceFile): Complaint[] {
  const lines = source.text.split('\n')
  const complaints: Complaint[] = []
  const visit = (node: ts.Node): void => {
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
    ts.forEachChild(node, visit)
  }
  visit(source)
  return complaints
}

function statementOf(node: ts.Node): ts.Node {
  let at = node
  while (!ts.isStatement(at) && !ts.isClassElement(at) && !ts.isSourceFile(at.parent)) at = at.parent
  return at
}

function functionComplaints(source: ts.SourceFile): Complaint[] {
  const complaints: Complaint[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const own = ownLines(source, node)
      if (own > MAX_FUNCTION_LINES) {
        const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1
        const message = `${own} lines in one function (limit ${MAX_FUNCTION_LINES}); split it or make it a table`
        complaints.push({ line, rule: 'function-lines', message })
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
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

/** An object or array of plain values: data, however long. */
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
  const listed = execFileSync('git', [
    'ls-files',
    '-co',
    '--exclude-standard',
    '--',
    '*.ts',
    '*.tsx',
    '*.js',
    '*.cjs',
  ])
  const paths = listed
    .toString()
    .split('\n')
    .filter((path) => path !== '' && !path.startsWith('.') && existsSync(path))
  const complaints = paths.flatMap((path) =>
    complaintsAbout(path, readFileSync(path, 'utf8')).map((found) => ({ path, ...found })),
  )
  for (const { path, line, rule, message } of complaints) console.log(`${path}:${line}  ${rule}: ${message}`)
  console.log(`${paths.length} files, ${complaints.length} complaints`)
  return complaints.length === 0 && paths.length > 0 ? 0 : 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main()
