// The pages that something was detected on.
import { monitoringStrings } from '../../strings/monitoring.ts'

const text = monitoringStrings.detail

export function PagesSection({ pages }: { readonly pages: readonly string[] }) {
  return (
    <section className="sec">
      <div>
        <h2>{text.pages}</h2>
        <p>{text.pagesNote}</p>
      </div>
      {pages.length === 0 ? (
        <p className="soft">{text.noPages}</p>
      ) : (
        <ul className="lines mono">
          {pages.map((page) => (
            <li key={page}>{page}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
