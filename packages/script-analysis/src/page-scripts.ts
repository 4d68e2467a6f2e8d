// The scripts in the HTML of a page, as a browser would find them before any of them runs. Nothing is run.
import { Parser } from 'htmlparser2'

export type PageScript =
  /** Resolved against the page and its base; as written if that is not possible. */
  | { readonly kind: 'external'; readonly url: string; readonly integrity: string | null }
  | { readonly kind: 'inline'; readonly text: string }
  /** `onload` and the like, with the code. */
  | { readonly kind: 'handler'; readonly text: string }

export interface PageScripts {
  readonly scripts: readonly PageScript[]
  /** Scripts beyond the limit that are not in the list. */
  readonly omitted: number
}

const MAX_SCRIPTS = 1_000
/** Of a data block (HTML §4.12.1): other types are never run. */
const RUN_TYPE =
  /^(?:module|importmap|speculationrules|(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/(?:javascript1\.\d|jscript|livescript))$/i

export interface PageReader {
  write(text: string): void
  /** @param pageUrl after redirects. */
  end(pageUrl: string): PageScripts
}

/** Reads a page chunk by chunk, in linear time. */
export function createPageReader(): PageReader {
  const scripts: PageScript[] = []
  let omitted = 0
  /** Of the first `base`. */
  let base: string | undefined
  /** Text of the inline script that is open. */
  let inline: string[] | undefined
  const add = (script: PageScript): void => {
    if (scripts.length < MAX_SCRIPTS) scripts.push(script)
    else omitted += 1
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        for (const [attribute, text] of Object.entries(attributes))
          if (/^on[a-z]+$/.test(attribute) && text.trim() !== '') add({ kind: 'handler', text: text.trim() })
        const { href, src, type = '', integrity = null } = attributes
        if (name === 'base') base ??= href
        if (name !== 'script') return
        const isRun = type.trim() === '' || RUN_TYPE.test(type.split(';', 1)[0]?.trim() ?? '') // no type
        if (!isRun) return
        const address = src ?? attributes['href'] ?? attributes['xlink:href']
        if (address === undefined) inline = []
        else add({ kind: 'external', url: address, integrity })
      },
      ontext: (text) => void inline?.push(text),
      onclosetag(name) {
        if (name !== 'script' || inline === undefined) return
        const text = inline.join('')
        inline = undefined
        if (text.trim() !== '') add({ kind: 'inline', text })
      },
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  )
  return {
    write: (text) => parser.write(text),
    end(pageUrl) {
      parser.end()
      const from = base === undefined ? pageUrl : resolve(base, pageUrl)
      return {
        scripts: scripts.map((script) =>
          script.kind === 'external' ? { ...script, url: resolve(script.url, from) } : script,
        ),
        omitted,
      }
    },
  }
}

function resolve(address: string, base: string): string {
  const url = URL.canParse(address.trim(), base) ? new URL(address.trim(), base) : undefined
  if (url === undefined) return address.trim()
  url.hash = ''
  return url.href
}
