// One policy: edited as a list or as text at the left, what it would break at the right.
import { useQuery } from '@tanstack/react-query'
import { Link, useLoaderData, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { policiesOf, suggestionOf, type PolicyDraft } from '../../api/policies.ts'
import type { WireZone } from '../../api/zones.ts'
import { Failure, Loading } from '../../parts/states.tsx'
import { strings } from '../../strings.ts'
import { policyStrings as text } from '../../strings/policies.ts'
import { nameOf } from './policies-screen.tsx'
import { PolicyForm } from './policy-form.tsx'
import { draftOf, nextShown, type ShownPolicy } from './shown-policy.ts'

const NEW: PolicyDraft = { description: '', action: 'log', expression: 'true', enabled: true, value: '' }

export function PolicyScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const { policy: id } = useParams({ from: '/frame/zones/$zone/policies/$policy' })
  return (
    <>
      <title>{`${text.title} · ${zone.name} · ${strings.product}`}</title>
      {id === 'new' && <PolicyForm zone={zone} title={text.newTitle} start={NEW} stored={undefined} />}
      {id === 'suggested' && <Suggested zone={zone} />}
      {id !== 'new' && id !== 'suggested' && <Stored key={id} zone={zone} id={id} />}
    </>
  )
}

function Stored({ zone, id }: { readonly zone: WireZone; readonly id: string }) {
  const policies = useQuery(policiesOf(zone.id))
  const policy = policies.data?.find((candidate) => candidate.id === id)
  const [saved, setSaved] = useState<PolicyDraft>()
  const [before, setShown] = useState<ShownPolicy>()
  const shown = policy === undefined ? before : nextShown(before, policy, saved)
  if (shown !== before) setShown(shown)
  if (policies.error !== null)
    return <Failure error={policies.error} onRetry={() => void policies.refetch()} />
  if (policies.isPending) return <Loading />
  if (policy === undefined || shown === undefined)
    return (
      <p className="pad empty">
        {text.unknown}{' '}
        <Link className="link" to="/zones/$zone/policies" params={{ zone: zone.name }}>
          {text.all}
        </Link>
      </p>
    )
  return (
    <PolicyForm
      // What another client saved replaces what is here. A save of this form does not: a dialog may be open by then.
      key={shown.form}
      zone={zone}
      title={nameOf(policy)}
      start={draftOf(policy)}
      stored={policy}
      onSave={setSaved}
    />
  )
}

function Suggested({ zone }: { readonly zone: WireZone }) {
  const suggestion = useQuery(suggestionOf(zone.id))
  if (suggestion.error !== null)
    return <Failure error={suggestion.error} onRetry={() => void suggestion.refetch()} />
  if (suggestion.isPending) return <Loading />
  const { value, left_out: leftOut } = suggestion.data
  return (
    <PolicyForm
      zone={zone}
      title={text.suggestedTitle}
      start={{ ...NEW, description: text.suggestedTitle, value }}
      stored={undefined}
      leftOut={leftOut}
    />
  )
}
