// The envelope: compact JSON, members in the order that clients which search the text rely on.
import type { ResultInfo, WireIssue } from '@zonereeve/contract'
import type { DomainError, Issue, Notice } from '../platform/domain-error.ts'
import { fill, WIRE_ERRORS, WIRE_NOTICES, type WireError } from './wire-errors.ts'

const CLEAN = '"success":true,"errors":[]'

/** `result` is JSON text. */
export function successText(result: string, notices: readonly Notice[] = []): string {
  return `{"result":${result},${CLEAN},"messages":${noticesText(notices)}}`
}

/** The reply to a dry run: what the real one would say, and the change sets (JSON texts) that it would make. */
export function rehearsedText(
  result: string,
  notices: readonly Notice[],
  changes: readonly string[],
): string {
  const messages = noticesText([{ notice: 'dry_run' }, ...notices])
  return `{"result":${result},${CLEAN},"messages":${messages},"changes":[${changes.join(',')}]}`
}

/** `items` is the JSON text of the items, joined by commas. Zones put `result_info` second, all others last. */
export function listText(items: string, info: ResultInfo, infoSecond = false): string {
  const [head, tail] = listEnds(info, infoSecond)
  return head + items + tail
}

/** The same of items in UTF-8, as the database gives long lists: decoding them to encode them again would cost most. */
export function listOctets(items: Uint8Array, info: ResultInfo): Buffer {
  const [head, tail] = listEnds(info, false)
  return Buffer.concat([Buffer.from(head), items, Buffer.from(tail)])
}

/** A page of a list walked by cursors; the last one names none. */
export function cursorListText(items: string, after: string | undefined): string {
  const info = after === undefined ? '' : `,"result_info":${JSON.stringify({ cursors: { after } })}`
  return `{"result":[${items}],${CLEAN},"messages":[]${info}}`
}

function listEnds(info: ResultInfo, infoSecond: boolean): readonly [string, string] {
  const counts = `"result_info":${JSON.stringify(info)}`
  return infoSecond
    ? ['{"result":[', `],${counts},${CLEAN},"messages":[]}`]
    : ['{"result":[', `],${CLEAN},"messages":[],${counts}}`]
}

export interface Failure {
  readonly status: number
  readonly body: string
}

/** The reply to a refusal; the first issue decides about the status. */
export function failureOf(error: DomainError): Failure {
  const first: WireError = WIRE_ERRORS[error.issues[0].reason]
  const errors = JSON.stringify(error.issues.map(wireIssue))
  const messages = noticesText(error.notices)
  return {
    status: first.status,
    body:
      first.layer === 'gateway'
        ? `{"success":false,"errors":${errors},"messages":${messages},"result":null}`
        : `{"result":null,"success":false,"errors":${errors},"messages":${messages}}`,
  }
}

function wireIssue(issue: Issue): WireIssue {
  const { code, message, chain }: WireError = WIRE_ERRORS[issue.reason]
  const text = fill(message, issue.values)
  return {
    code,
    message: issue.detail === undefined ? text : `${text} ${issue.detail}`,
    ...(issue.pointer === undefined ? {} : { source: { pointer: issue.pointer } }),
    ...(issue.meta === undefined ? {} : { meta: { ...issue.meta } }),
    ...(chain === undefined ? {} : { error_chain: chain.map((link) => ({ ...link })) }),
  }
}

function noticesText(notices: readonly Notice[]): string {
  if (notices.length === 0) return '[]'
  return JSON.stringify(
    notices.map(({ notice, values }) => {
      const line: { code: number; message: string; extra?: object } = WIRE_NOTICES[notice]
      return { code: line.code, message: fill(line.message, values), ...line.extra }
    }),
  )
}

/** Counts for a page of a list; an empty list has one (empty) page. */
export function resultInfo(page: number, perPage: number, count: number, totalCount: number): ResultInfo {
  const totalPages = Math.max(1, Math.ceil(totalCount / perPage))
  return { page, per_page: perPage, count, total_count: totalCount, total_pages: totalPages }
}
