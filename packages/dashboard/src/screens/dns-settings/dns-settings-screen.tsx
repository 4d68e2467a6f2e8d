// DNS settings of a zone: SOA, how answers are made, and the keys of dynamic updates.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLoaderData } from '@tanstack/react-router'
import { useToast } from '../../app/toasts.tsx'
import { ApiError } from '../../api/call.ts'
import { changeDnsSettings, dnsSettingsOf, type DnsSettingsPatch } from '../../api/dns-settings.ts'
import { zoneKeys, type WireZone } from '../../api/zones.ts'
import { Field } from '../../parts/field.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { Failure, Loading } from '../../parts/states.tsx'
import { useStoredDraft } from '../../parts/stored-draft.ts'
import { strings } from '../../strings.ts'
import { dnsSettingStrings as text } from '../../strings/dns-settings.ts'
import {
  settingsDraft,
  settingsErrors,
  settingsPatch,
  SOA_SECONDS,
  SOA_NAMES,
  type SettingsDraft,
} from './settings-draft.ts'
import { UpdateKeys } from './update-keys.tsx'
import { ZoneDigest } from './zone-digest.tsx'

export function DnsSettingsScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const settings = useQuery(dnsSettingsOf(zone.id))
  return (
    <>
      <title>{`${text.title} · ${zone.name} · ${strings.product}`}</title>
      <PageHead title={text.title} intro={text.intro} />
      {settings.error !== null && <Failure error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.isPending && <Loading />}
      {settings.data !== undefined && (
        <SettingsForm key={zone.id} zone={zone} stored={settingsDraft(settings.data)} />
      )}
      <ZoneDigest zone={zone} />
      <UpdateKeys zone={zone.name} />
    </>
  )
}

interface SettingsFormProps {
  readonly zone: WireZone
  readonly stored: SettingsDraft
}

interface Save {
  readonly body: DnsSettingsPatch
  readonly sent: SettingsDraft
}

function SettingsForm({ zone, stored }: SettingsFormProps) {
  const { draft, base, change: changeDraft, setSaved } = useStoredDraft(stored)
  const queries = useQueryClient()
  const toast = useToast()
  const patch = settingsPatch(base, draft)
  const wrong = settingsErrors(draft)
  const write = useMutation({
    mutationFn: ({ body }: Save) => changeDnsSettings(zone.id, body),
    onSuccess: async (_, { sent }) => {
      setSaved(sent)
      toast({ text: text.saved })
      await queries.invalidateQueries({ queryKey: zoneKeys.of(zone.id) })
    },
  })
  const errors = { ...refusals(write.error), ...wrong }
  const change = (next: Partial<SettingsDraft>): void => {
    write.reset()
    changeDraft(next)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (patch !== undefined) write.mutate({ body: patch, sent: draft })
      }}
    >
      <SoaFields draft={draft} errors={errors} onChange={change} />
      <AnswerFields draft={draft} errors={errors} onChange={change} />
      <div className="sec">
        <span />
        <div className="stack">
          <Problem error={write.error} />
          <div className="row">
            <button
              type="submit"
              className="btn primary"
              disabled={patch === undefined || write.isPending || Object.keys(wrong).length > 0}
            >
              {text.save}
            </button>
            <button type="button" className="btn" disabled={patch === undefined} onClick={() => change(base)}>
              {text.reset}
            </button>
          </div>
        </div>
      </div>
    </form>
  )
}

/** The server's issues at the fields that they are about. */
function refusals(error: Error | null): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(
    error.issues.flatMap(({ source, message }) =>
      source === undefined ? [] : [[String(source.pointer.split('/').at(-1)), message]],
    ),
  )
}

interface FieldsProps {
  readonly draft: SettingsDraft
  readonly errors: Readonly<Record<string, string>>
  readonly onChange: (change: Partial<SettingsDraft>) => void
}

function SoaFields({ draft, errors, onChange }: FieldsProps) {
  return (
    <Section title={text.soa} note={text.soaNote}>
      <div className="stack">
        <div className="g2 g2p">
          {SOA_NAMES.map((member) => (
            <TextField
              key={member}
              label={text.fields[member]}
              hint={text.hints[member]}
              error={errors[member]}
              value={draft.soa[member]}
              onChange={(typed) => onChange({ soa: { ...draft.soa, [member]: typed } })}
            />
          ))}
        </div>
        <div className="fives">
          {SOA_SECONDS.map((member) => (
            <TextField
              key={member}
              label={text.fields[member]}
              hint={text.hints[member]}
              error={errors[member]}
              inputMode="numeric"
              value={draft.soa[member]}
              onChange={(typed) => onChange({ soa: { ...draft.soa, [member]: typed } })}
            />
          ))}
        </div>
      </div>
    </Section>
  )
}

function AnswerFields({ draft, errors, onChange }: FieldsProps) {
  return (
    <Section title={text.answers}>
      <div className="stack">
        <div className="g2">
          <Field label={text.mode} error={errors['zone_mode']}>
            {(ids) => (
              <select
                {...ids}
                className="sel"
                value={draft.mode}
                onChange={({ target }) => onChange({ mode: target.value })}
              >
                {Object.entries(text.modes).map(([mode, name]) => (
                  <option key={mode} value={mode}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <TextField
            label={text.nsTtl}
            hint={text.nsTtlHint}
            error={errors['ns_ttl']}
            className="in short"
            inputMode="numeric"
            value={draft.nsTtl}
            onChange={(typed) => onChange({ nsTtl: typed })}
          />
        </div>
        <label className="opt">
          <input
            type="checkbox"
            role="switch"
            className="ck"
            checked={draft.flattens}
            onChange={({ target }) => onChange({ flattens: target.checked })}
          />
          {text.flatten}
        </label>
        <label className="opt">
          <input
            type="checkbox"
            role="switch"
            className="ck"
            checked={draft.isMultiProvider}
            onChange={({ target }) => onChange({ isMultiProvider: target.checked })}
          />
          {text.multiProvider}
        </label>
      </div>
    </Section>
  )
}
