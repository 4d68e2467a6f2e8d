// What stands where data is missing: loading, empty, no match, refused.
import { useEffect, useState, type ReactNode } from 'react'
import { ApiError } from '../api/call.ts'
import { strings } from '../strings.ts'
import { Icon } from './icon.tsx'
import { issueText } from './issue-text.ts'

const PATIENCE_MILLIS = 200

/** Flat bars in the shape of rows; nothing before 200 ms. */
export function Loading() {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), PATIENCE_MILLIS)
    return () => clearTimeout(timer)
  }, [])
  if (!isShown) return null
  return (
    <div className="pad">
      <svg className="bone" width="100%" height="84" role="img" aria-label={strings.states.loading}>
        {[0, 1, 2].map((row) => (
          <g key={row}>
            <rect y={4 + row * 32} width={120 - row * 20} height="10" />
            <rect x="180" y={4 + row * 32} width="40" height="10" />
            <rect x="260" y={4 + row * 32} width={300 - row * 40} height="10" />
          </g>
        ))}
      </svg>
    </div>
  )
}

interface FailureProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

/** In the place of what is missing: what happened, what to do, and the id of the request. */
export function Failure({ error, onRetry }: FailureProps) {
  const { headline, detail, requestId } = describe(error)
  return (
    <section className="sec" role="alert">
      <span className="mk bad">
        <Icon name="wrong" />
      </span>
      <div>
        <h2>{strings.states.notLoaded}</h2>
      </div>
      <div className="stack">
        <p>
          <b>{headline}</b> {detail}
        </p>
        <div className="row">
          {onRetry !== undefined && (
            <button type="button" className="btn" onClick={onRetry}>
              {strings.states.retry}
            </button>
          )}
          {requestId !== undefined && (
            <span className="small dim">
              {strings.states.request} <code>{requestId.slice(0, 8)}</code>
            </span>
          )}
        </div>
      </div>
    </section>
  )
}

/** Above what was loaded before: a failure to load it again takes nothing off the page. */
export function Outdated({ error, onRetry }: FailureProps) {
  return (
    <div className="callout w" role="status">
      <span className="warn">
        <Icon name="warning" />
      </span>
      <span>
        <b>{strings.states.outdated}</b> {sentenceOf(error)}
      </span>
      {onRetry !== undefined && (
        <button type="button" className="btn" onClick={onRetry}>
          {strings.states.retry}
        </button>
      )}
    </div>
  )
}

interface Description {
  readonly headline: string
  readonly detail: string
  readonly requestId: string | undefined
}

function describe(error: unknown): Description {
  if (!(error instanceof ApiError))
    return { headline: strings.states.broken, detail: String(error), requestId: undefined }
  if (error.status === 0) return { headline: strings.states.noAnswer, detail: '', requestId: undefined }
  const { headline, codes } = issueText(error.issues)
  return { headline, detail: codes === '' ? '' : `(${codes})`, requestId: error.requestId }
}

/** Words for one line: `a CNAME cannot stand beside other records (81054)`. */
export function sentenceOf(error: unknown): string {
  const { headline, detail } = describe(error)
  return detail === '' ? headline : `${headline} ${detail}`
}

interface EmptyProps {
  readonly headline: string
  readonly detail: string
  readonly command?: string
  readonly children?: ReactNode
}

/** One sentence, what to do next, and the same as a command. */
export function Empty({ headline, detail, command, children }: EmptyProps) {
  return (
    <section className="pad stack empty">
      <p>
        <b>{headline}</b>
      </p>
      <p className="soft">{detail}</p>
      {children !== undefined && <div className="row">{children}</div>}
      {command !== undefined && (
        <pre tabIndex={0} className="code one">
          {command}
        </pre>
      )}
    </section>
  )
}
