// The API document as an HTML page, rendered on the server; only its filter needs a script.
import { commandFor, type CommandSchema } from './api-command.ts'
import { API_PAGE_STYLE } from './api-page-style.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  /** By media type: JSON, or a form with a file. */
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly 'x-permission': string
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: Schema
}

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
}

interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Where the page loads the script of its filter. */
export const FILTER_PATH = '/docs/filter.js'

/** What most readers look for comes first; the others keep the order of the document. */
const FIRST = ['Zones', 'DNS records']

const rankOf = (name: string): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length)

/** A row of the table of wire errors. */
export interface ErrorLine {
  readonly status: number
  readonly code: number
  readonly message: string
}

/**
 * Renders the API document as a page.
 * @param errors that responses may contain.
 */
export function apiPage(source: object, errors: readonly ErrorLine[]): string {
  const document = source as Document // made by openApiDocument
  const { title, version, description } = document.info
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const names = document.tags.map(({ name }) => name).toSorted((a, b) => rankOf(a) - rankOf(b))
  const sections = names.map((name) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    return `<section id="${anchor(name)}"><h2>${escape(name)}</h2>${own.map((one) => card(one, document)).join('')}</section>`
  })
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<article id="schema-${escape(name)}"><h3>${escape(name)}</h3>${members(schema)}</article>`,
  )
  const links = [...names, 'Schemas', 'Errors']
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} API ${escape(version)}</title>
<style>${API_PAGE_STYLE}</style>
<script src="${FILTER_PATH}" defer></script>
</head>
<body>
<aside>
<div id="search" hidden><label for="filter">Filter operations</label><input id="filter" type="search" autocomplete="off"><p id="found" role="status"></p></div>
<nav aria-label="Sections">${links.map((name) => `<a href="#${anchor(name)}">${escape(name)}</a>`).join('')}</nav>
</aside>
<div class="body">
<header>
<h1>${escape(title)} API <small>${escape(version)}</small></h1>
<p>${escape(description)}</p>
<p>Base paths: ${document.servers.map(({ url }) => `<code>${escape(url)}</code>`).join(', ')}. Credential: <code>Authorization: Bearer TOKEN</code>, or <code>X-Auth-Email</code> with <code>X-Auth-Key</code>. Machine-readable: <a href="/openapi.json">openapi.json</a>.</p>
<p>In the commands, <code>$SERVER</code> is the address of the server, <code>$TOKEN</code> a token, and <code>$ZONE_ID</code> and others are parameters of the path.</p>
</header>
<main>${sections.join('')}<section id="schemas"><h2>Schemas</h2>${schemas.join('')}</section>
<section id="errors"><h2>Errors</h2><p>Numbers from 19000 to 19999 are Zonereeve’s own; all others mean what they mean in the public API.</p>${errorTable(errors)}</section></main>
</div>
</body>
</html>
`
}

interface Listed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

function card({ method, path, operation }: Listed, document: Document): string {
  const { operationId, summary, description, parameters, requestBody } = operation
  const [content] = Object.entries(requestBody?.content ?? {}) // no body
  const body = content?.[1].schema
  const command = commandFor({
    method,
    path,
    body: content === undefined ? undefined : [content[0], content[1].schema],
    resolve: (schema) => followReference(schema, document),
  })
  return `<details id="${escape(operationId)}"><summary><b>${method}</b> <code>${escape(path)}</code> <span>${escape(summary)}</span></summary>
${description === undefined ? '' : `<p>${escape(description)}</p>`}
<p class="permission">Permission: ${escape(operation['x-permission'])}</p>
<h4>Command</h4><pre tabindex="0">${escape(command)}</pre>
${parameters.length === 0 ? '' : `<h4>Parameters</h4>${table(parameters.map(parameterRow))}`}
${body === undefined ? '' : `<h4>Body</h4>${body.$ref === undefined ? members(body) : reference(body.$ref)}`}
</details>`
}

function followReference(schema: CommandSchema, { components }: Document): CommandSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (components.schemas[name] ?? {}) // unknown names have no members
}

function errorTable(errors: readonly ErrorLine[]): string {
  const ordered = errors.toSorted((a, b) => a.code - b.code || a.status - b.status)
  const rows = ordered.map(
    ({ status, code, message }) =>
      `<tr><th scope="row"><code>${code}</code></th><td>${status}</td><td>${escape(message)}</td></tr>`,
  )
  return scrollable(
    `<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Message</th></tr></thead><tbody>${rows.join('')}</tbody>`,
  )
}

const scrollable = (table: string): string =>
  `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>${table}</table></div>`

const parameterRow = ({ name, in: place, required, schema }: Parameter): MemberRow => ({
  name,
  note: `${place}${required ? ', required' : ''}`,
  schema,
})

interface MemberRow {
  readonly name: string
  readonly note: string
  readonly schema: Schema
}

function members(schema: Schema): string {
  const rows = Object.entries(schema.properties ?? {}).map(([name, property]): MemberRow => ({
    name,
    note: schema.required?.includes(name) === true ? 'required' : '',
    schema: property,
  }))
  // Members that clients may send back and the server ignores come last.
  const ordered = rows.toSorted((a, b) => Number(isIgnored(a)) - Number(isIgnored(b)))
  return rows.length === 0 ? `<p>${kind(schema)}</p>` : table(ordered)
}

const isIgnored = ({ schema }: MemberRow): boolean => schema.description === 'Ignored.'

function table(rows: readonly MemberRow[]): string {
  const cells = rows.map(
    ({ name, note, schema }) =>
      `<tr><th scope="row"><code>${escape(name)}</code>${note === '' ? '' : ` <i>${escape(note)}</i>`}</th><td>${kind(schema)}</td><td>${escape(wordsOf(schema))}</td></tr>`,
  )
  return scrollable(`<tbody>${cells.join('')}</tbody>`)
}

function wordsOf(schema: Schema): string {
  const fallback = schema.default === undefined ? '' : `Default: ${JSON.stringify(schema.default)}.`
  const range =
    schema.minimum !== undefined && schema.maximum !== undefined
      ? `${schema.minimum}..${schema.maximum}.`
      : ''
  const [shown] = schema.examples ?? [] // none
  const example = shown === undefined ? '' : `For example: ${JSON.stringify(shown)}.`
  return [schema.description, range, fallback, example]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
}

function kind(schema: Schema): string {
  if (schema.$ref !== undefined) return reference(schema.$ref)
  if (schema.enum !== undefined)
    return schema.enum.map((value) => `<code>${escape(String(value))}</code>`).join(' ')
  if (schema.anyOf !== undefined) return schema.anyOf.map(kind).join(' or ')
  if (schema.type === 'array' && schema.items !== undefined) return `list of ${kind(schema.items)}`
  return escape(schema.type ?? 'any')
}

function reference(target: string): string {
  const name = escape(target.split('/').at(-1) ?? target)
  return `<a href="#schema-${name}">${name}</a>`
}

const anchor = (name: string): string => escape(name.toLowerCase().replaceAll(' ', '-'))

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
