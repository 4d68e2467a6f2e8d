// The form for a page to watch, and the choice of how often it is checked.
import { useState, type FormEvent } from 'react'
import { watchPage } from '../../api/watched-pages.ts'
import type { WireZone } from '../../api/zones.ts'
import { Field, type FieldIds } from '../../parts/field.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { FormFoot } from '../../parts/form-foot.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { watchedPageStrings as text } from '../../strings/watched-pages.ts'

const DAY_MINUTES = 1_440

export function NewPage({ zone, onClose }: { readonly zone: WireZone; readonly onClose: () => void }) {
  const [url, setUrl] = useState(`https://${zone.name}/`)
  const [minutes, setMinutes] = useState(DAY_MINUTES)
  const action = useZoneAction(zone.id)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    action.mutate(
      { run: () => watchPage(zone.id, { url: url.trim(), interval_minutes: minutes }), done: text.added },
      { onSuccess: onClose },
    )
  }
  return (
    <Section title={text.add} onEscape={onClose}>
      <form className="stack" onSubmit={submit}>
        <div className="g2">
          <TextField
            label={text.form.url}
            hint={text.form.urlHint}
            type="url"
            required
            autoFocus
            value={url}
            onChange={setUrl}
          />
          <Field label={text.form.every}>
            {(ids) => <IntervalChoice ids={ids} minutes={minutes} onChange={setMinutes} />}
          </Field>
        </div>
        <Problem error={action.error} />
        <FormFoot label={text.form.submit} isBusy={action.isPending} onClose={onClose} />
      </form>
    </Section>
  )
}

interface IntervalProps {
  readonly ids: Partial<FieldIds> & { readonly 'aria-label'?: string }
  readonly minutes: number
  readonly onChange: (minutes: number) => void
}

export function IntervalChoice({ ids, minutes, onChange }: IntervalProps) {
  const known = Object.entries(text.form.minutes)
  const isOther = known.every(([value]) => Number(value) !== minutes)
  return (
    <select
      {...ids}
      className="sel auto"
      value={minutes}
      onChange={({ target }) => onChange(Number(target.value))}
    >
      {isOther && <option value={minutes}>{text.form.other(minutes)}</option>}
      {known.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  )
}
