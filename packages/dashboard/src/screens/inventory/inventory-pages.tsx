// The pages that something was detected on.
import { Section } from '../../parts/section.tsx'
import { monitoringStrings } from '../../strings/monitoring.ts'

const text = monitoringStrings.detail

export function PagesSection({ pages }: { readonly pages: readonly string[] }) {
  return (
    <Section title={text.pages} note={text.pagesNote}>
      {pages.length === 0 ? (
        <p className="soft">{text.noPages}</p>
      ) : (
        <ul className="lines mono">
          {pages.map((page) => (
            <li key={page}>{page}</li>
          ))}
        </ul>
      )}
    </Section>
  )
}
