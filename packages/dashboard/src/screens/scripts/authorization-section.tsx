// Who authorized a script, why, and whether that still covers what browsers run.
import { useState } from 'react'
import { authorize, withdrawAuthorization, type WireAuthorization } from '../../api/scripts.ts'
import type { WireZone } from '../../api/zones.ts'
import { Field } from '../../parts/field.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { FormButton } from '../../parts/form-button.tsx'
import { FormFoot } from '../../parts/form-foot.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { SmallForm } from '../../parts/small-form.tsx'
import { StatusWord } from '../../parts/status-word.tsx'
import { Day, Exact } from '../../parts/time.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { scriptStrings as text } from '../../strings/scripts.ts'

interface AuthorizationSectionProps {
  readonly zone: WireZone
  readonly scriptId: string
  readonly authorization: WireAuthorization | null
  /** The content that the reader sees, if one was fetched. */
  readonly contentSha256: string | null
}

export function AuthorizationSection({
  zone,
  scriptId,
  authorization,
  contentSha256,
}: AuthorizationSectionProps) {
  const action = useZoneAction(zone.id)
  const isValid = authorization === null || authorization.state === 'valid'
  return (
    <Section title={text.authorization} mark={!isValid ? 'warning' : undefined}>
      <div className="stack">
        {authorization === null && <p className="soft">{text.notAuthorized}</p>}
        {authorization !== null && <Facts authorization={authorization} />}
        <FormButton
          label={authorization === null ? text.form.open : text.form.again}
          beside={
            authorization !== null && (
              <button
                type="button"
                className="btn"
                disabled={action.isPending}
                onClick={() =>
                  action.mutate({ run: () => withdrawAuthorization(zone.id, scriptId), done: text.withdrawn })
                }
              >
                {text.withdraw}
              </button>
            )
          }
          form={(close) => (
            <AuthorizationForm
              zone={zone}
              scriptId={scriptId}
              start={authorization}
              contentSha256={contentSha256}
              onClose={close}
            />
          )}
        />
        <Problem error={action.error} />
      </div>
    </Section>
  )
}

function Facts({ authorization }: { readonly authorization: WireAuthorization }) {
  const { state, content_sha256: covered, expires_at: end } = authorization
  return (
    <dl className="kv">
      <dt>{text.by}</dt>
      <dd>
        {text.byOn(authorization.authorized_by)}
        <Exact at={authorization.authorized_at} />
      </dd>
      <dt>{text.owner}</dt>
      <dd>{authorization.owner}</dd>
      <dt>{text.why}</dt>
      <dd>{authorization.justification}</dd>
      <dt>{text.until}</dt>
      <dd>{end === null ? text.forever : <Day at={end} />}</dd>
      {covered !== null && (
        <>
          <dt>{text.covers}</dt>
          <dd className="mono">{covered}</dd>
        </>
      )}
      <dt>{text.state}</dt>
      <dd>
        {state === 'valid' && <StatusWord tone="normal">{text.states.valid}</StatusWord>}
        {state !== 'valid' && <span className="warn">{text.states[state]}</span>}
      </dd>
    </dl>
  )
}

interface AuthorizationFormProps {
  readonly zone: WireZone
  readonly scriptId: string
  readonly start: WireAuthorization | null
  readonly contentSha256: string | null
  readonly onClose: () => void
}

function AuthorizationForm({ zone, scriptId, start, contentSha256, onClose }: AuthorizationFormProps) {
  const [owner, setOwner] = useState(start === null ? '' : start.owner)
  const [reason, setReason] = useState(start === null ? '' : start.justification)
  const [day, setDay] = useState('')
  const action = useZoneAction(zone.id)
  const submit = (): void => {
    const body = {
      owner: owner.trim(),
      justification: reason.trim(),
      ...(day !== '' && { expires_at: new Date(`${day}T23:59:59`).toISOString() }),
      // What the reader has reviewed, even if another content was fetched since.
      ...(contentSha256 !== null && { content_sha256: contentSha256 }),
    }
    action.mutate(
      { run: () => authorize(zone.id, scriptId, body), done: text.authorized },
      { onSuccess: onClose },
    )
  }
  return (
    <SmallForm onClose={onClose} onSubmit={submit}>
      <div className="g2">
        <TextField
          label={text.form.owner}
          hint={text.form.ownerHint}
          isProse
          required
          autoFocus
          value={owner}
          onChange={setOwner}
        />
        <TextField label={text.form.until} type="date" className="in day" value={day} onChange={setDay} />
      </div>
      <Field label={text.form.why} hint={text.form.whyHint}>
        {(ids) => (
          <textarea
            {...ids}
            className="in sans"
            rows={3}
            required
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </Field>
      <Problem error={action.error} />
      <FormFoot label={text.form.save} isBusy={action.isPending} onClose={onClose} />
    </SmallForm>
  )
}
