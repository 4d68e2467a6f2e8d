// The content of a script as last fetched, what browsers ran, and its versions.
import type { WireContents } from '../../api/scripts.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Score } from '../../parts/score.tsx'
import { Section } from '../../parts/section.tsx'
import { DateTime, Exact } from '../../parts/time.tsx'
import { scriptStrings as text } from '../../strings/scripts.ts'

interface ContentSectionProps {
  readonly contents: WireContents
  readonly fetchedAt: string | null | undefined
}

export function ContentSection({ contents, fetchedAt }: ContentSectionProps) {
  const { content_sha256: sha256, sri, problem, next_fetch_at: next, browser_hashes: ran } = contents
  const unknown = ran.filter(({ fetched }) => !fetched).length
  return (
    <Section title={text.content} note={text.contentNote}>
      <dl className="kv">
        <dt>{text.fetched}</dt>
        <dd>{fetchedAt === null || fetchedAt === undefined ? text.never : <Exact at={fetchedAt} />}</dd>
        {problem !== null && (
          <>
            <dt>{text.problem}</dt>
            <dd className="warn">{text.problems[problem]}</dd>
          </>
        )}
        <dt>{text.next}</dt>
        <dd>{next === null ? text.notPlanned : <Exact at={next} />}</dd>
        {sha256 !== null && (
          <>
            <dt>{text.sha256}</dt>
            <dd className="mono">{sha256}</dd>
          </>
        )}
        {sri !== null && (
          <>
            <dt>{text.sri}</dt>
            <dd className="row nowrap">
              <code className="value">{sri}</code>
              <CopyButton text={sri} of={text.sri} />
            </dd>
          </>
        )}
        <dt>{text.ran}</dt>
        <dd className={unknown > 0 ? 'warn' : undefined}>
          {unknown > 0 ? text.ranOther(unknown) : ran.length > 0 ? text.ranSame : text.ranNone}
        </dd>
      </dl>
    </Section>
  )
}

export function VersionSection({ contents: { versions } }: { readonly contents: WireContents }) {
  return (
    <Section title={text.versions} note={text.versionsNote}>
      {versions.length === 0 ? (
        <p className="soft">{text.noVersions}</p>
      ) : (
        <table className="plain">
          <thead>
            <tr>
              <th className="w232">{text.versionColumns.fetched}</th>
              <th className="w176">{text.versionColumns.integrity}</th>
              <th className="opt2">{text.versionColumns.structure}</th>
              <th className="opt2">{text.versionColumns.content}</th>
            </tr>
          </thead>
          <tbody>
            {versions.map((version) => (
              <tr key={`${version.hash}${version.fetched_at}`}>
                <td>
                  <DateTime at={version.fetched_at} />
                </td>
                <td>
                  <Score value={version.js_integrity_score} absence={text.versionColumns.integrity} />
                </td>
                <td className="mono opt2" title={version.hash ?? undefined}>
                  {shortHash(version.hash)}
                </td>
                <td className="mono opt2" title={version.content_sha256 ?? undefined}>
                  {shortHash(version.content_sha256)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}

const SHOWN_DIGITS = 8

/** Beginning and end; the whole one is in its title. */
const shortHash = (hash: string | null): string =>
  hash === null ? '–' : `${hash.slice(0, SHOWN_DIGITS)}…${hash.slice(-4)}`
