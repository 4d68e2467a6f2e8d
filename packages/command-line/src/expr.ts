// zonereeve expr: the filter language at the prompt, without a server.
import {
  checkExpression,
  compile,
  decidingParts,
  explain,
  parseIp,
  requestContext,
  utf8,
  type EvaluationContext,
  type Explanation,
} from '@zonereeve/expr'
import type { Command } from 'commander'
import { REQUEST_SCHEME } from '@zonereeve/firewall'

interface RequestOptions {
  readonly method: string
  readonly url: string
  readonly ip: string
  readonly header: readonly string[]
  readonly body?: string
}

export function addExprCommands(program: Command): void {
  const expr = program.command('expr').description('filter expressions: check, evaluate, explain')
  expr
    .command('check <expression>')
    .description('check an expression: print its canonical form, or the error')
    .action((source: string) => {
      const { canonical, usage } = read(source)
      print(canonical, `fields: ${usage.fields.join(', ')}`, `functions: ${usage.functions.join(', ')}`)
    })
  withRequest(expr.command('eval <expression>'))
    .description('evaluate an expression for a request: prints true or false')
    .action((source: string, options: RequestOptions) => {
      const { node } = read(source)
      print(String(compile(node, REQUEST_SCHEME)(contextFor(options))))
    })
  withRequest(expr.command('explain <expression>'))
    .description('evaluate an expression for a request, and show which parts decided')
    .action((source: string, options: RequestOptions) => {
      const { node } = read(source)
      const explanation = explain(node, REQUEST_SCHEME, contextFor(options))
      print(
        ...lines(explanation, 0),
        `decided by: ${decidingParts(explanation)
          .map(({ text }) => text)
          .join('; ')}`,
      )
    })
}

function withRequest(command: Command): Command {
  const collect = (value: string, all: readonly string[]) => [...all, value]
  return command
    .option('--method <method>', 'method of the request', 'GET')
    .option('--url <url>', 'URL of the request', 'https://example.com/')
    .option('--ip <address>', 'address of the client', '192.0.2.1')
    .option('--header <line>', 'header line, "name: value"; may be repeated', collect, [])
    .option('--body <text>', 'body of the request')
}

function read(source: string) {
  const checked = checkExpression(source, REQUEST_SCHEME)
  if (!checked.ok) throw new Error(checked.frame.trimEnd())
  return checked
}

/** @throws Error naming the option that is wrong. */
function contextFor({ method, url, ip, header, body }: RequestOptions): EvaluationContext {
  const clientIp = parseIp(ip)
  if (clientIp === undefined) throw new Error(`--ip ${ip}: must be an IP address`)
  if (!URL.canParse(url)) throw new Error(`--url ${url}: must be a URL`)
  const { protocol, host, pathname, search } = new URL(url)
  const bytes = body === undefined ? undefined : utf8(body)
  return requestContext(REQUEST_SCHEME, {
    method: utf8(method),
    version: 'HTTP/1.1',
    isTls: protocol === 'https:',
    host: utf8(host),
    target: utf8(pathname + search),
    headers: [['host', utf8(host)], ...header.map(readHeader)],
    ...(bytes === undefined ? {} : { body: { bytes, sizeBytes: bytes.length, isTruncated: false } }),
    clientIp,
    receivedAtMs: Date.now(),
  })
}

function readHeader(line: string): readonly [string, string] {
  const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? []
  if (name === undefined || value === undefined) throw new Error(`--header ${line}: must be "name: value"`)
  return [utf8(name), utf8(value)]
}

function lines({ text, result, decides, parts }: Explanation, depth: number): string[] {
  const outcome = result === undefined ? 'not looked at' : String(result)
  const own = `${'  '.repeat(depth)}${decides ? '*' : ' '} ${outcome.padEnd(13)} ${text}`
  return [own, ...parts.flatMap((part) => lines(part, depth + 1))]
}

const print = (...strings: readonly string[]): void => void process.stdout.write(`${strings.join('\n')}\n`)
