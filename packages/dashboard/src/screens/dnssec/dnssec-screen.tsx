// DNSSEC of a zone: its state, the DS for the registrar, keys and rollovers, and stopping without an outage.
import { useQuery } from '@tanstack/react-query'
import { useLoaderData } from '@tanstack/react-router'
import { changeSigning, checkParent, signingKeys, type WireDnssec } from '../../api/dnssec.ts'
import { dnssecOf, type WireZone } from '../../api/zones.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { TwoSteps } from '../../parts/two-steps.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { strings } from '../../strings.ts'
import { dnssecStrings as text } from '../../strings/dnssec.ts'
import { dsForms } from './ds-forms.ts'
import { SigningKeys } from './signing-keys.tsx'

export function DnssecScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const signing = useQuery(dnssecOf(zone.id))
  const action = useZoneAction(zone.id)
  const status = signing.data?.status
  const isSigned = status !== undefined && status !== 'disabled'
  return (
    <>
      <title>{`${text.title} · ${zone.name} · ${strings.product}`}</title>
      <PageHead title={text.title} intro={isSigned && text.intros[status]}>
        {isSigned && (
          <button
            type="button"
            className="btn"
            disabled={action.isPending}
            onClick={() => action.mutate({ run: () => checkParent(zone.id), done: text.checked })}
          >
            {text.check}
          </button>
        )}
      </PageHead>
      {action.error !== null && (
        <div className="pad">
          <Problem error={action.error} />
        </div>
      )}
      {signing.error !== null && <Failure error={signing.error} onRetry={() => void signing.refetch()} />}
      {signing.isPending && <Loading />}
      {signing.data !== undefined && !isSigned && <NotSigned zone={zone} />}
      {signing.data !== undefined && isSigned && <Signed zone={zone} signing={signing.data} />}
    </>
  )
}

function NotSigned({ zone }: { readonly zone: WireZone }) {
  const action = useZoneAction(zone.id)
  const enable = (): void =>
    action.mutate({
      run: () => changeSigning(zone.id, { status: 'active' }),
      done: text.enabled(zone.name),
    })
  return (
    <>
      <Empty headline={text.intros.disabled} detail={text.enableNote} command={text.enableCommand(zone.name)}>
        <button type="button" className="btn primary" disabled={action.isPending} onClick={enable}>
          {text.enable}
        </button>
      </Empty>
      <div className="pad">
        <Problem error={action.error} />
      </div>
    </>
  )
}

interface SignedProps {
  readonly zone: WireZone
  readonly signing: WireDnssec
}

function Signed({ zone, signing }: SignedProps) {
  const keys = useQuery(signingKeys(zone.id))
  return (
    <>
      {signing.status === 'pending' && (
        <div className="callout n">
          <span className="note">
            <Icon name="expected" />
          </span>
          <span>
            <b>{text.dsExpected}</b> {text.dsExpectedDetail}
          </span>
        </div>
      )}
      {signing.status === 'pending-disabled' && <Stopping zone={zone} />}
      <DelegationSigner zone={zone} signing={signing} />
      {keys.error !== null && <Failure error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.data !== undefined && <SigningKeys zone={zone} signing={signing} keys={keys.data.keys} />}
      <Options zone={zone} signing={signing} />
      {signing.status !== 'pending-disabled' && (
        <StopSigning zone={zone} isTrusted={signing.status !== 'pending'} />
      )}
    </>
  )
}

function Stopping({ zone }: { readonly zone: WireZone }) {
  const action = useZoneAction(zone.id)
  return (
    <div className="callout w">
      <span className="warn">
        <Icon name="warning" />
      </span>
      <span>
        <b>{text.stopping}</b> {text.stoppingDetail}
        <Problem error={action.error} />
      </span>
      <button
        type="button"
        className="btn"
        disabled={action.isPending}
        onClick={() =>
          action.mutate({ run: () => changeSigning(zone.id, { status: 'active' }), done: text.kept })
        }
      >
        {text.keepSigning}
      </button>
    </div>
  )
}

function DelegationSigner({ zone, signing }: SignedProps) {
  const forms = dsForms(signing, zone.name)
  return (
    <Section title={text.ds} note={text.dsNote}>
      <div className="stack lg">
        {forms.map(({ title, fields }) => (
          <div key={title}>
            <h3 className="sub">{title}</h3>
            <dl className="copied">
              {fields.map(({ label, value, copied = value }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    <code>{value}</code>
                    <CopyButton text={copied} of={`${title}: ${label}`} />
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        ))}
      </div>
    </Section>
  )
}

function Options({ zone, signing }: SignedProps) {
  const action = useZoneAction(zone.id)
  const set = (patch: Parameters<typeof changeSigning>[1]): void =>
    action.mutate({ run: () => changeSigning(zone.id, patch), done: text.saved })
  return (
    <Section title={text.denial}>
      <div className="stack">
        <label className="opt">
          <input
            type="checkbox"
            role="switch"
            className="ck"
            disabled={action.isPending}
            checked={signing.dnssec_use_nsec3}
            onChange={({ target }) => set({ dnssec_use_nsec3: target.checked })}
          />
          {text.nsec3}
        </label>
        <label className="opt">
          <input
            type="checkbox"
            role="switch"
            className="ck"
            disabled={action.isPending}
            checked={signing.dnssec_multi_signer}
            onChange={({ target }) => set({ dnssec_multi_signer: target.checked })}
          />
          {text.multiSigner}
        </label>
        <Problem error={action.error} />
      </div>
    </Section>
  )
}

interface StopSigningProps {
  readonly zone: WireZone
  /** Whether the parent may have a DS. */
  readonly isTrusted: boolean
}

/** In two steps, with what could go wrong between them. */
function StopSigning({ zone, isTrusted }: StopSigningProps) {
  const action = useZoneAction(zone.id)
  return (
    <TwoSteps
      title={text.off}
      note={text.offNote}
      detail={isTrusted ? text.offDetail : text.offAtOnce}
      open={text.offButton}
      confirm={isTrusted ? text.offConfirm : text.offAtOnceConfirm}
      isBusy={action.isPending}
      error={action.error}
      onConfirm={() =>
        action.mutate({
          run: () => changeSigning(zone.id, { status: 'disabled' }),
          done: isTrusted ? text.offDone : text.offAtOnceDone,
        })
      }
    />
  )
}
