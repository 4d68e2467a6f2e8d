// A new token: from a template, for single zones or all, for some time, from some addresses. Its value is shown once.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { createToken, permissionGroupIds, tokenList, type TokenDraft } from '../../api/tokens.ts'
import type { Confirmation } from '../../parts/confirmation.tsx'
import { Field } from '../../parts/field.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { FormFoot } from '../../parts/form-foot.tsx'
import { Icon } from '../../parts/icon.tsx'
import { findZones, readNames } from '../../parts/named-zones.ts'
import { Section } from '../../parts/section.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { sentenceOf } from '../../parts/states.tsx'
import { tokenStrings } from '../../strings/tokens.ts'
import { PolicyList } from './token-detail.tsx'
import { limitText, permissionText, TEMPLATES } from './token-summary.ts'
import { TryToken } from './try-token.tsx'

const words = tokenStrings.form
const DAY_MILLIS = 86_400_000
const ZONE = 'com.cloudflare.api.account.zone.'

interface NewTokenProps {
  readonly confirmation: Confirmation
  readonly onClose: () => void
}

/** What the form holds. */
interface Choice {
  readonly template: (typeof TEMPLATES)[number]
  readonly scope: 'all' | 'some'
  readonly zones: string
  readonly addresses: string
  readonly end: keyof typeof words.ends
}

const FIRST: Choice = {
  template: TEMPLATES[0] as Choice['template'], // the list has some
  scope: 'some',
  zones: '',
  addresses: '',
  end: '365',
}

export function NewToken({ confirmation: { confirmed }, onClose }: NewTokenProps) {
  const queries = useQueryClient()
  const { data: groupIds } = useQuery(permissionGroupIds)
  const [choice, setChoice] = useState(FIRST)
  const creation = useMutation({
    mutationFn: async (name: string) => {
      const draft = { name, ...(await definitionOf(choice)) }
      return confirmed(() => createToken(draft))
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: tokenList.queryKey }),
  })

  async function definitionOf({
    template,
    scope,
    zones,
    addresses,
    end,
  }: Choice): Promise<Omit<TokenDraft, 'name'>> {
    const names = readNames(zones)
    if (scope === 'some' && names.length === 0) throw new FormError(words.zonesMissing)
    const found = scope === 'some' ? await findZones(queries, names) : undefined
    if (found !== undefined && found.unknown.length > 0)
      throw new FormError(words.unknownZone(found.unknown.join(', ')))
    const resources = Object.fromEntries(
      (found?.zones ?? [{ id: '*' }]).map(({ id }) => [`${ZONE}${id}`, '*']),
    )
    const ids = template.groups.map((group) => ({ id: String(groupIds?.get(group)) }))
    const from = readNames(addresses)
    return {
      policies: [{ effect: 'allow', resources, permission_groups: ids }],
      ...(from.length === 0 ? {} : { condition: { request_ip: { in: [...from] } } }),
      ...(end === 'never' ? {} : { expires_on: endOf(end) }),
    }
  }

  if (creation.data?.value !== undefined)
    return (
      <Section title={creation.data.name} note={tokenStrings.made} kind="hi" mark="add">
        <ShownOnce
          value={creation.data.value}
          headline={tokenStrings.once}
          detail={tokenStrings.onceDetail}
          doneLabel={tokenStrings.done}
          onDone={onClose}
        >
          <TryToken />
        </ShownOnce>
      </Section>
    )
  return (
    <Section title={words.title} note={words.note} kind="hi" onEscape={onClose}>
      <TokenForm
        choice={choice}
        onChoice={(changes) => {
          setChoice({ ...choice, ...changes })
          creation.reset()
        }}
        onSubmit={(name) => creation.mutate(name)}
        error={creation.error}
        isBusy={creation.isPending || groupIds === undefined}
        onClose={onClose}
      />
    </Section>
  )
}

/** Something in the form is wrong, which the server need not say. */
class FormError extends Error {}

const endOf = (days: string): string =>
  new Date(Date.now() + Number(days) * DAY_MILLIS).toISOString().replace(/\.\d+/, '')

interface TokenFormProps {
  readonly choice: Choice
  readonly onChoice: (changes: Partial<Choice>) => void
  readonly onSubmit: (name: string) => void
  readonly error: Error | null
  readonly isBusy: boolean
  readonly onClose: () => void
}

function TokenForm({ choice, onChoice, onSubmit, error, isBusy, onClose }: TokenFormProps) {
  const isZoneError = error instanceof FormError
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    onSubmit(String(new FormData(event.currentTarget).get('name')).trim())
  }
  return (
    <form className="stack form" onSubmit={send}>
      {error !== null && !isZoneError && (
        <p className="bad row nowrap" role="alert">
          <Icon name="wrong" />
          <span>{sentenceOf(error)}</span>
        </p>
      )}
      <div className="g2">
        <Field label={words.name} hint={words.nameHint}>
          {(ids) => (
            <input
              {...ids}
              className="in sans"
              name="name"
              maxLength={120}
              autoComplete="off"
              autoFocus
              required
            />
          )}
        </Field>
        <Field label={words.template}>
          {(ids) => (
            <select
              {...ids}
              className="sel"
              value={choice.template.key}
              onChange={({ target }) =>
                onChoice({ template: TEMPLATES.find(({ key }) => key === target.value) ?? choice.template })
              }
            >
              {TEMPLATES.map(({ key }) => (
                <option key={key} value={key}>
                  {tokenStrings.templates[key]}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <ZoneChoice choice={choice} onChoice={onChoice} error={isZoneError ? error.message : undefined} />
      <LimitChoice choice={choice} onChoice={onChoice} />
      <PolicyList lines={[lineOf(choice)]} />
      <p className="soft">{limitText(limitsOf(choice))}</p>
      <FormFoot label={words.submit} isBusy={isBusy} onClose={onClose} />
    </form>
  )
}

const lineOf = ({ template, scope, zones }: Choice) => ({
  effect: 'allow' as const,
  permissions: permissionText(template.groups),
  places: scope === 'all' ? tokenStrings.allZones : readNames(zones).join(', ') || '…',
})

function limitsOf({ addresses, end }: Choice): Parameters<typeof limitText>[0] {
  const from = readNames(addresses)
  return {
    ...(from.length === 0 ? {} : { condition: { request_ip: { in: [...from] } } }),
    ...(end === 'never' ? {} : { expires_on: endOf(end) }),
  }
}

type ChoiceProps = Pick<TokenFormProps, 'choice' | 'onChoice'>

function ZoneChoice({ choice, onChoice, error }: ChoiceProps & { readonly error: string | undefined }) {
  return (
    <div className="g2">
      <Field label={words.scope}>
        {(ids) => (
          <select
            {...ids}
            className="sel"
            value={choice.scope}
            onChange={({ target }) => onChoice({ scope: target.value === 'all' ? 'all' : 'some' })}
          >
            <option value="some">{words.scopes.some}</option>
            <option value="all">{words.scopes.all}</option>
          </select>
        )}
      </Field>
      {choice.scope === 'some' && (
        <TextField
          label={words.zones}
          hint={words.zonesHint}
          error={error}
          value={choice.zones}
          onChange={(typed) => onChoice({ zones: typed })}
        />
      )}
    </div>
  )
}

function LimitChoice({ choice, onChoice }: ChoiceProps) {
  return (
    <div className="g2">
      <Field label={words.expires}>
        {(ids) => (
          <select
            {...ids}
            className="sel"
            value={choice.end}
            onChange={({ target }) => onChoice({ end: target.value as Choice['end'] })} // one of the options below
          >
            {Object.entries(words.ends).map(([days, label]) => (
              <option key={days} value={days}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TextField
        label={words.addresses}
        hint={words.addressesHint}
        value={choice.addresses}
        onChange={(typed) => onChoice({ addresses: typed })}
      />
    </div>
  )
}
