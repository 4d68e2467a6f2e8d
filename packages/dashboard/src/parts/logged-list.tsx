// What rules log with an event, one line for each header or cookie; nothing if they log nothing.
import type { WireLoggedFields } from '@zonereeve/contract'
import { loggedStrings as text } from '../strings/logged.ts'
import { loggedLines } from './logged-fields.ts'

export function LoggedList({ fields }: { readonly fields: WireLoggedFields | null }) {
  const lines = fields === null ? [] : loggedLines(fields)
  const isShortened = fields?.shortened === true
  if (lines.length === 0 && !isShortened) return null
  return (
    <>
      <dt>{text.title}</dt>
      <dd>
        {lines.map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- they never move, and two can be equal
          <div key={index}>
            <code>{line}</code>
          </div>
        ))}
        {isShortened && <span className="dim">{text.shortened}</span>}
      </dd>
    </>
  )
}
