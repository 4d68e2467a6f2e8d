// How often the server fetches scripts, and whether it keeps their sources.
import { useQuery } from '@tanstack/react-query'
import { changeFetching, fetchingOf } from '../../api/monitoring-settings.ts'
import type { WireZone } from '../../api/zones.ts'
import { Field } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { monitoringSettingStrings as text } from '../../strings/monitoring-settings.ts'
import { bytesText } from '../../strings/server-health.ts'

export function FetchingSection({ zone }: { readonly zone: WireZone }) {
  const { data: fetching, error } = useQuery(fetchingOf(zone.id))
  const action = useZoneAction(zone.id)
  const change = (body: Parameters<typeof changeFetching>[1]): void =>
    action.mutate({ run: () => changeFetching(zone.id, body), done: text.saved })
  const known = Object.entries(text.intervals)
  const minutes = fetching?.interval_minutes
  return (
    <Section title={text.fetching} note={text.fetchingNote}>
      <div className="stack">
        <Problem error={error} />
        {fetching !== undefined && minutes !== undefined && (
          <>
            <Field label={text.interval} className="narrow">
              {(ids) => (
                <select
                  {...ids}
                  className="sel auto"
                  value={minutes}
                  disabled={action.isPending}
                  onChange={({ target }) => change({ interval_minutes: Number(target.value) })}
                >
                  {known.every(([value]) => Number(value) !== minutes) && (
                    <option value={minutes}>{text.otherInterval(minutes)}</option>
                  )}
                  {known.map(([value, name]) => (
                    <option key={value} value={value}>
                      {name}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <label className="opt">
              <input
                type="checkbox"
                role="switch"
                className="ck"
                checked={fetching.store_sources}
                disabled={action.isPending}
                onChange={({ target }) => change({ store_sources: target.checked })}
              />
              <span>{text.storeSources}</span>
            </label>
            <p className="soft small">
              {text.stored(bytesText(fetching.stored_bytes))}{' '}
              {fetching.scripts.length > 0 && text.ownIntervals(fetching.scripts.length)}
            </p>
          </>
        )}
        <Problem error={action.error} />
      </div>
    </Section>
  )
}
