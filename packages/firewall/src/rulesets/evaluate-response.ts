// What rules do with a response: changes of its headers, and a page in place of an error.
import type { HeaderLine, ResponseFacts } from '@zonereeve/expr'
import { editHeaders, type HeaderEdit } from '../transforms/header-edits.ts'
import {
  type EvaluateOptions,
  evaluatePhases,
  type Firewall,
  LEVELS,
  type RequestChanges,
  type Step,
} from './evaluate-request.ts'
import { ERROR_PHASE, RESPONSE_PHASES } from './phases.ts'

/** The steps of the phases of the response, and what they do to its headers. */
export interface ResponseVerdict {
  readonly steps: readonly Step[]
  readonly edits: readonly HeaderEdit[]
  /** After these edits. */
  readonly headers: readonly HeaderLine[]
}

/** Whether rules can change responses at all. */
export const changesResponses = ({ entryPoints }: Firewall): boolean =>
  RESPONSE_PHASES.some((phase) => LEVELS.some((level) => entryPoints[level].has(phase)))

/** The phases that change a response. Pure. */
export function evaluateResponse(
  firewall: Firewall,
  received: Pick<RequestChanges, 'facts' | 'skippedPhases'>,
  response: ResponseFacts,
  options: EvaluateOptions = {},
): ResponseVerdict {
  const { steps, changes } = evaluatePhases(firewall, received, response, RESPONSE_PHASES, options)
  const edits = changes.headers
  return { steps, edits, headers: editHeaders(response.headers, edits) }
}

/** Sent in place of a response with an error. */
export interface ErrorPage {
  readonly statusCode: number
  readonly contentType: string
  readonly content: string
}

/** Whether rules have pages for errors. */
export const hasErrorPages = ({ entryPoints }: Firewall): boolean =>
  LEVELS.some((level) => entryPoints[level].has(ERROR_PHASE))

const LOWEST_ERROR = 400

/** The page of the first rule that has one for the response; responses without an error stay. Pure. */
export function evaluateErrorPage(
  firewall: Firewall,
  received: Pick<RequestChanges, 'facts' | 'skippedPhases'>,
  response: ResponseFacts,
  options: EvaluateOptions = {},
): { readonly steps: readonly Step[]; readonly page: ErrorPage | undefined } {
  if (response.status < LOWEST_ERROR) return { steps: [], page: undefined }
  const { action, steps, parameters } = evaluatePhases(firewall, received, response, [ERROR_PHASE], options)
  const page = action === undefined ? undefined : pageOf(parameters as ServeErrorParameters, response.status) // as checked by its shape
  return { steps, page }
}

interface ServeErrorParameters {
  readonly content?: string
  readonly content_type?: string
  readonly status_code?: number
}

/** Rules with an asset in place of content have no effect. */
const pageOf = (
  { content = '', content_type: contentType = 'text/html', status_code: own }: ServeErrorParameters, // runRule sees to the content
  status: number,
): ErrorPage => ({ statusCode: own ?? status, contentType, content })

/** The type of a page as it is sent: all pages are UTF-8, and JSON is that in any case. */
export const sentType = (contentType: string): string =>
  contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType

/** Headers of a response that say nothing about a page in place of its own. */
const ABOUT_CONTENT: ReadonlySet<string> = new Set([
  'accept-ranges',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-md5',
  'content-range',
  'content-type',
  'etag',
  'last-modified',
])

/** A page in place of the response, with the headers that are not about the content of the response. Pure. */
export const withPage = (
  { headers }: ResponseFacts,
  { statusCode, contentType }: ErrorPage,
): ResponseFacts => ({
  status: statusCode,
  headers: [
    ...headers.filter(([name]) => !ABOUT_CONTENT.has(name.toLowerCase())),
    ['content-type', sentType(contentType)],
  ],
})
