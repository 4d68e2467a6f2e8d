// Errors in domain terms; platform/wire-errors.ts maps them to code, status and message.
import type { ErrorCode, NoticeReason } from './wire-errors.ts'

export interface Issue {
  readonly reason: ErrorCode
  /** JSON pointer (RFC 6901) to the invalid member, such as `/data/port`. */
  readonly pointer?: string
  /** Values for the `{placeholders}` of the message. */
  readonly values?: Readonly<Record<string, string | number>>
  /** The conflicting object. */
  readonly meta?: { readonly id: string }
  /** An additional sentence that says what would be right. */
  readonly detail?: string
  /** The item of a batch that the error is about, placed before the message. */
  readonly subject?: string
  /** Sent as Retry-After. */
  readonly retryAfterSeconds?: number
}

export class DomainError extends Error {
  readonly issues: readonly [Issue, ...Issue[]]
  /** Returned with the error, in `messages`. */
  readonly notices: readonly Notice[]

  constructor(issues: Issue | readonly [Issue, ...Issue[]], notices: readonly Notice[] = []) {
    const list: readonly [Issue, ...Issue[]] = 'reason' in issues ? [issues] : issues
    super(list.map(({ reason }) => reason).join(', '))
    this.name = 'DomainError'
    this.issues = list
    this.notices = notices
  }
}

/** Information for the caller although the operation succeeded. */
export interface Notice {
  readonly notice: NoticeReason
  readonly values?: Readonly<Record<string, string | number>>
}

/** A member's name in a JSON pointer (RFC 6901 §3). */
export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** An issue of a part as an issue of the whole; one without a pointer is about the entire part. */
export const issueBelow = (pointer: string, issue: Issue): Issue => ({
  ...issue,
  pointer: issue.pointer === undefined ? pointer : pointer + issue.pointer,
})

/** Throws if there is at least one issue. */
export function throwIfIssues(issues: readonly Issue[]): void {
  const [first, ...rest] = issues
  if (first !== undefined) throw new DomainError([first, ...rest])
}

/** For deletions: undefined if the row cannot be read; such a row can still be deleted. */
export async function ifReadable<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading
  } catch (failure) {
    if (failure instanceof DomainError && failure.issues[0].reason === 'storage.unreadable_row')
      return undefined
    throw failure
  }
}
