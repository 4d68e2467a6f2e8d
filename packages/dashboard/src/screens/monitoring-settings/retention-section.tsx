// How long what was detected is kept.
import { useState, type FormEvent } from 'react'
import { changeRetention, type WireRetention } from '../../api/monitoring-settings.ts'
import type { WireZone } from '../../api/zones.ts'
import { TextField } from '../../parts/text-field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { monitoringSettingStrings as text } from '../../strings/monitoring-settings.ts'

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

interface RetentionSectionProps {
  readonly zone: WireZone
  readonly retention: WireRetention
}

export function RetentionSection({ zone, retention }: RetentionSectionProps) {
  const [draft, setDraft] = useState<Readonly<Partial<Record<Member, string>>>>({})
  const action = useZoneAction(zone.id)
  const isWrong = (member: Member): boolean => !/^\d+$/.test((draft[member] ?? '0').trim()) // unchanged is right
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const body = Object.fromEntries(Object.entries(draft).map(([member, value]) => [member, Number(value)]))
    action.mutate({ run: () => changeRetention(zone.id, body), done: text.saved })
  }
  return (
    <Section title={text.retention} note={text.retentionNote}>
      <form className="stack" onSubmit={submit}>
        <div className="fours">
          {MEMBERS.map((member) => (
            <TextField
              key={member}
              label={text.retentionFields[member]}
              error={isWrong(member) ? text.notNumber : undefined}
              className="in short"
              inputMode="numeric"
              value={draft[member] ?? String(retention[member])}
              onChange={(typed) => setDraft({ ...draft, [member]: typed })}
            />
          ))}
        </div>
        <Problem error={action.error} />
        <div className="row">
          <button
            type="submit"
            className="btn"
            disabled={action.isPending || Object.keys(draft).length === 0 || MEMBERS.some(isWrong)}
          >
            {text.save}
          </button>
        </div>
      </form>
    </Section>
  )
}
