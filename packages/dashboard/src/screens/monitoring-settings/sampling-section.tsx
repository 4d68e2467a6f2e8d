// How many documents have monitoring's header, and what it makes browsers report.
import { useState, type FormEvent } from 'react'
import { changeSampling, type WireSampling } from '../../api/monitoring-settings.ts'
import type { WireZone } from '../../api/zones.ts'
import { Field } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { monitoringSettingStrings as text } from '../../strings/monitoring-settings.ts'
import { isWholeNumber, NumberField } from './number-field.tsx'

type Member = WireSampling['also_report'][number]
const MEMBERS: readonly Member[] = ['about_frames', 'frames', 'images', 'forms', 'inline', 'eval']

interface SamplingSectionProps {
  readonly zone: WireZone
  readonly sampling: WireSampling
}

export function SamplingSection({ zone, sampling }: SamplingSectionProps) {
  return (
    <>
      <SamplingForm zone={zone} sampling={sampling} />
      <AlsoReport zone={zone} sampling={sampling} />
    </>
  )
}

function SamplingForm({ zone, sampling }: SamplingSectionProps) {
  const [mode, setMode] = useState(sampling.mode)
  const [oneIn, setOneIn] = useState(String(sampling.one_in ?? 10)) // adaptive has none
  const [paths, setPaths] = useState(sampling.whole_paths.join('\n'))
  const action = useZoneAction(zone.id)
  const isNumber = isWholeNumber(oneIn)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const whole = paths.split(/\s+/).filter((path) => path !== '')
    const body = { mode, whole_paths: whole, ...(mode === 'fixed' && { one_in: Number(oneIn) }) }
    action.mutate({ run: () => changeSampling(zone.id, body), done: text.saved })
  }
  return (
    <Section title={text.sampling} note={text.samplingNote}>
      <form className="stack" onSubmit={submit}>
        <p className="soft">{text.now(sampling.now.one_in, sampling.now.reports_a_day)}</p>
        <div className="g2">
          <Field label={text.mode}>
            {(ids) => (
              <select
                {...ids}
                className="sel"
                value={mode}
                onChange={({ target }) => setMode(target.value === 'fixed' ? 'fixed' : 'adaptive')}
              >
                <option value="adaptive">{text.modes.adaptive}</option>
                <option value="fixed">{text.modes.fixed}</option>
              </select>
            )}
          </Field>
          {mode === 'fixed' && <NumberField label={text.oneIn} value={oneIn} onChange={setOneIn} />}
        </div>
        <Field label={text.whole} hint={text.wholeHint}>
          {(ids) => (
            <textarea
              {...ids}
              className="in"
              rows={2}
              spellCheck={false}
              value={paths}
              onChange={({ target }) => setPaths(target.value)}
            />
          )}
        </Field>
        <Problem error={action.error} />
        <div className="row">
          <button
            type="submit"
            className="btn"
            disabled={action.isPending || (mode === 'fixed' && !isNumber)}
          >
            {text.save}
          </button>
        </div>
      </form>
    </Section>
  )
}

function AlsoReport({ zone, sampling }: SamplingSectionProps) {
  const action = useZoneAction(zone.id)
  const { also_report: reported, beacon } = sampling
  const change = (member: Member, isOn: boolean): void => {
    const members = MEMBERS.filter((each) => (each === member ? isOn : reported.includes(each)))
    action.mutate({ run: () => changeSampling(zone.id, { also_report: members }), done: text.saved })
  }
  return (
    <Section title={text.also} note={text.alsoNote}>
      <div className="stack">
        <div>
          {MEMBERS.map((member) => (
            <label key={member} className="opt">
              <input
                type="checkbox"
                role="switch"
                className="ck"
                checked={reported.includes(member)}
                disabled={action.isPending}
                onChange={({ target }) => change(member, target.checked)}
              />
              <span>{text.alsoMembers[member]}</span>
            </label>
          ))}
          <label className="opt">
            <input
              type="checkbox"
              role="switch"
              className="ck"
              checked={beacon}
              disabled={action.isPending}
              onChange={({ target: { checked } }) =>
                action.mutate({
                  run: () => changeSampling(zone.id, { beacon: checked }),
                  done: checked ? text.beaconOn : text.saved,
                })
              }
            />
            <span>{text.beacon}</span>
          </label>
        </div>
        <Problem error={action.error} />
      </div>
    </Section>
  )
}
