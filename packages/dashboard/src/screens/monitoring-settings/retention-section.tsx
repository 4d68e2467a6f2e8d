// How long what was detected is kept.
import type { FormEvent } from 'react'
import { changeRetention, type WireRetention } from '../../api/monitoring-settings.ts'
import type { WireZone } from '../../api/zones.ts'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { useStoredDraft } from '../../parts/stored-draft.ts'
import { useZoneAction } from '../../parts/zone-action.ts'
import { monitoringSettingStrings as text } from '../../strings/monitoring-settings.ts'
import { isWholeNumber, NumberField } from './number-field.tsx'

const MEMBERS = [
  'active_page_views',
  'inactive_after_days',
  'forget_infrequent_after_days',
  'forget_after_days',
  'forget_cookies_after_days',
  'forget_events_after_days',
  'max_query_variants',
] as const
type Member = (typeof MEMBERS)[number]
type Draft = Readonly<Record<Member, string>>

interface RetentionSectionProps {
  readonly zone: WireZone
  readonly retention: WireRetention
}

export function RetentionSection({ zone, retention }: RetentionSectionProps) {
  const { draft, base, change, setSaved } = useStoredDraft(draftOf(retention))
  const action = useZoneAction(zone.id)
  const changed = MEMBERS.filter((member) => draft[member] !== base[member])
  const isWrong = (member: Member): boolean => !isWholeNumber(draft[member])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const body = Object.fromEntries(changed.map((member) => [member, Number(draft[member])]))
    const run = () => changeRetention(zone.id, body).then(() => setSaved(draft))
    action.mutate({ run, done: text.saved })
  }
  return (
    <Section title={text.retention} note={text.retentionNote}>
      <form className="stack" onSubmit={submit}>
        <div className="fours">
          {MEMBERS.map((member) => (
            <NumberField
              key={member}
              label={text.retentionFields[member]}
              value={draft[member]}
              onChange={(typed) => change({ [member]: typed })}
            />
          ))}
        </div>
        <Problem error={action.error} />
        <div className="row">
          <button
            type="submit"
            className="btn"
            disabled={action.isPending || changed.length === 0 || MEMBERS.some(isWrong)}
          >
            {text.save}
          </button>
        </div>
      </form>
    </Section>
  )
}

const draftOf = (retention: WireRetention): Draft =>
  Object.fromEntries(MEMBERS.map((member) => [member, String(retention[member])])) as Draft // all members
