// What the server found wrong with the text, with a way to each line.
import type { WireIssue } from '@zonereeve/contract'
import { Icon } from '../../parts/icon.tsx'
import { zoneTextStrings as text } from '../../strings/zone-text.ts'

/** Behind the line may be the member of its record. */
const LINE = /^\/file\/(\d+)(?:\/|$)/

/** From 1; undefined for an issue that is about no line. */
export function issueLine({ source }: WireIssue): number | undefined {
  const digits = LINE.exec(source === undefined ? '' : source.pointer)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** From 1. */
export const wrongLineNumbers = (issues: readonly WireIssue[]): number[] =>
  issues.map(issueLine).filter((line) => line !== undefined)

interface WrongLinesProps {
  readonly issues: readonly WireIssue[]
  readonly onGo: (line: number) => void
}

export function WrongLines({ issues, onGo }: WrongLinesProps) {
  return (
    <div role="alert">
      <p className="bad row nowrap">
        <Icon name="wrong" />
        <b>{text.refused}</b>
      </p>
      <ul className="wrong-lines">
        {issues.map((issue, index) => {
          const line = issueLine(issue)
          return (
            <li key={`${index}${issue.message}`}>
              {line !== undefined && (
                <button type="button" className="link" onClick={() => onGo(line)}>
                  {text.line(line)}
                </button>
              )}{' '}
              {issue.message} <span className="dim">({issue.code})</span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
