// The API document as an HTML page, rendered on the server, without scripts or external resources.

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
  const sections = document.tags.map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    return `<section id="${anchor(name)}"><h2>${escape(name)}</h2>${own.map(card).join('')}</section>`
  })
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<article id="schema-${escape(name)}"><h3>${escape(name)}</h3>${members(schema)}</article>`,
  )
  const links = [...document.tags.map(({ name }) => name), 'Schemas', 'Errors']
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} API ${escape(version)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escape(title)} API <small>${escape(version)}</small></h1>
<p>${escape(description)}</p>
<p>Base paths: ${document.servers.map(({ url }) => `<code>${escape(url)}</code>`).join(', ')}. Credential: <code>Authorization: Bearer TOKEN</code>, or <code>X-Auth-Email</code> with <code>X-Auth-Key</code>. Machine-readable: <a href="/openapi.json">openapi.json</a>.</p>
<nav aria-label="Sections">${links.map((name) => `<a href="#${anchor(name)}">${escape(name)}</a>`).join('')}</nav>
</header>
<main>${sections.join('')}<section id="schemas"><h2>Schemas</h2>${schemas.join('')}</section>
<section id="errors"><h2>Errors</h2><p>Numbers from 19000 to 19999 are Zonereeve’s own; all others mean what they mean in the public API.</p>${errorTable(errors)}</section></main>
</body>
</html>
`
}

function card({ method, path, operation }: { method: string; path: string; operation: Operation }): string {
  const { operationId, summary, description, parameters, requestBody } = operation
  const body = Object.values(requestBody?.content ?? {})[0]?.schema
  return `<details id="${escape(operationId)}"><summary><b class="${method}">${method}</b> <code>${escape(path)}</code> <span>${escape(summary)}</span></summary>
${description === undefined ? '' : `<p>${escape(description)}</p>`}
<p class="permission">Permission: ${escape(operation['x-permission'])}</p>
${parameters.length === 0 ? '' : `<h4>Parameters</h4>${table(parameters.map(parameterRow))}`}
${body === undefined ? '' : `<h4>Body</h4>${body.$ref === undefined ? members(body) : reference(body.$ref)}`}
</details>`
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
  return rows.length === 0 ? `<p>${kind(schema)}</p>` : table(rows)
}

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
  return [schema.description, range, fallback].filter((part) => part !== undefined && part !== '').join(' ')
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

const STYLE = `
:root{color-scheme:light dark;--ink:#1b2430;--soft:#56616f;--line:#d9dfe6;--paper:#fff;--raised:#f6f8fa;--link:#0b5cad;--get:#0b6b43;--post:#0b5cad;--put:#8a4b00;--patch:#6f42a8;--delete:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#e4e9ef;--soft:#a3adb9;--line:#343d48;--paper:#12171d;--raised:#1a2129;--link:#7db8f5;--get:#5fd39b;--post:#7db8f5;--put:#f0b267;--patch:#c6a5f2;--delete:#ff9a92}}
*{box-sizing:border-box}
body{margin:0;font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
header,main{max-width:64rem;margin:0 auto;padding:1.5rem 1rem}
h1{margin:0;font-size:1.8rem}h1 small{color:var(--soft);font-weight:400;font-size:1rem}
h2{margin:2.2rem 0 .8rem;font-size:1.3rem}h3,h4{margin:1rem 0 .4rem}
a{color:var(--link)}nav a{display:inline-block;margin-right:1rem}
code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}
details{border:1px solid var(--line);border-radius:.5rem;margin:.5rem 0;background:var(--raised);padding:0 1rem}
summary{cursor:pointer;padding:.65rem 0;display:flex;flex-wrap:wrap;gap:.6rem;align-items:baseline}
summary span{color:var(--soft)}summary b{min-width:4.2rem;font-size:.85rem}
details[open]{padding-bottom:1rem}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.GET{color:var(--get)}.POST{color:var(--post)}.PUT{color:var(--put)}.PATCH{color:var(--patch)}.DELETE{color:var(--delete)}
.permission{color:var(--soft);margin:.2rem 0}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.93rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .8rem .35rem 0;border-top:1px solid var(--line);font-weight:400}
th i{color:var(--soft);font-size:.85em}
@media (max-width:40rem){th,td{display:block;border:0;padding:.1rem 0}tr{display:block;border-top:1px solid var(--line);padding:.4rem 0}}
`
