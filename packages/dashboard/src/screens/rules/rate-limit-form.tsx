// The row of a rate limit in edit: which requests, counted by what, how many in which time, and what then.
import { useMemo } from 'react'
import type { RateLimit } from '../../api/rulesets.ts'
import { TextField } from '../../parts/text-field.tsx'
import { useLeftField } from '../../parts/left-field.ts'
import { ruleStrings } from '../../strings/rules.ts'
import { ActionField } from './action-field.tsx'
import { characteristicProblem } from './characteristics.ts'
import { CharacteristicRows } from './characteristic-rows.tsx'
import { ExpressionField } from './expression-field.tsx'
import { COUNTING_NAMES, countingProblemOf } from './expression-problem.ts'
import {
  countingProblem,
  leastPeriod,
  numberProblem,
  readRate,
  writeRate,
  type RateDraft,
} from './rate-draft.ts'
import type { RuleFormProps } from './rule-form.tsx'
import { RuleFrame, useRuleDraft } from './rule-frame.tsx'

const text = ruleStrings.rate

const CHARACTERISTICS = 'ratelimit/characteristics'
const COUNTING = 'ratelimit/counting_expression'

interface NumberInput {
  readonly member: 'requests' | 'period' | 'timeout'
  readonly field: string
  readonly label: string
  readonly hint?: string
  readonly bounds: Parameters<typeof numberProblem>[1]
}

const REQUESTS: NumberInput = {
  member: 'requests',
  field: 'ratelimit/requests_per_period',
  label: text.requests,
  bounds: { least: 1, isOptional: false },
}

/** A rule that counts scores has no number of requests here. */
const numbersOf = (stored: RateLimit | undefined): readonly NumberInput[] => [
  ...(stored?.score_per_period === undefined ? [REQUESTS] : []),
  {
    member: 'period',
    field: 'ratelimit/period',
    label: text.period,
    bounds: { least: leastPeriod(stored), isOptional: false },
  },
  {
    member: 'timeout',
    field: 'ratelimit/mitigation_timeout',
    label: text.timeout,
    hint: text.timeoutHint,
    bounds: { least: 0, isOptional: true },
  },
]

export function RateLimitForm({ start, isNew, mayLog, isBusy, error, onSave, onCancel }: RuleFormProps) {
  const numbers = useMemo(() => numbersOf(start.ratelimit), [start.ratelimit])
  const form = useRuleDraft(
    () => readRate(start),
    error,
    ({ characteristics: rows }) => [
      'action',
      COUNTING,
      CHARACTERISTICS,
      ...rows.map((_, index) => `${CHARACTERISTICS}/${index}`),
      ...numbers.map(({ field }) => field),
    ],
  )
  const { first, draft, change, refusalOf } = form
  const { characteristics } = draft
  const isWrong =
    numbers.some(({ member, bounds }) => numberProblem(draft[member], bounds) !== undefined) ||
    characteristics.some((one) => characteristicProblem(one) !== undefined) ||
    countingProblem(draft) !== undefined
  return (
    <RuleFrame
      isNew={isNew}
      isDisabled={isBusy || isWrong || (!isNew && JSON.stringify(draft) === JSON.stringify(first))}
      form={form}
      beside={
        <ActionField
          value={draft.action}
          own={start.action}
          hasOthers
          mayLog={mayLog}
          refusal={refusalOf('action', 'action')}
          onChange={(action) => change({ action })}
        />
      }
      onSubmit={() => onSave(writeRate(draft, start.ratelimit))}
      onCancel={onCancel}
    >
      <Scores stored={start.ratelimit} />
      <Numbers numbers={numbers} draft={draft} refusalOf={refusalOf} onChange={change} />
      <CharacteristicRows
        rows={characteristics}
        refusal={refusalOf(CHARACTERISTICS, 'characteristics')}
        refusalOf={(index) => refusalOf(`${CHARACTERISTICS}/${index}`, 'characteristics')}
        onChange={(changed) => change({ characteristics: changed })}
      />
      <Counting
        start={first.counting}
        draft={draft}
        refusal={refusalOf(COUNTING, 'counting')}
        onChange={change}
      />
    </RuleFrame>
  )
}

interface NumbersProps {
  readonly numbers: readonly NumberInput[]
  readonly draft: RateDraft
  readonly refusalOf: (field: string, member: keyof RateDraft) => string | undefined
  readonly onChange: (members: Partial<RateDraft>) => void
}

const Numbers = ({ numbers, draft, refusalOf, onChange }: NumbersProps) => (
  <div className={numbers.includes(REQUESTS) ? 'line n' : 'line n two'}>
    {numbers.map((number) => (
      <NumberField
        key={number.member}
        number={number}
        value={draft[number.member]}
        refusal={refusalOf(number.field, number.member)}
        onChange={(value) => onChange({ [number.member]: value })}
      />
    ))}
  </div>
)

interface NumberFieldProps {
  readonly number: NumberInput
  readonly value: string
  readonly refusal: string | undefined
  readonly onChange: (value: string) => void
}

function NumberField({ number: { label, hint, bounds }, value, refusal, onChange }: NumberFieldProps) {
  const { isLeft, leave } = useLeftField()
  const error = isLeft ? (numberProblem(value, bounds) ?? refusal) : refusal
  return (
    <TextField
      label={label}
      hint={hint}
      error={error}
      className="in short"
      inputMode="numeric"
      value={value}
      onBlur={leave}
      onChange={onChange}
    />
  )
}

/** In place of a number of requests: the form does not change scores. */
function Scores({ stored }: { readonly stored: RateLimit | undefined }) {
  const { score_per_period: most, score_response_header_name: header } = stored ?? {}
  return most !== undefined && header !== undefined && <p className="soft">{text.byScore(header, most)}</p>
}

interface CountingProps {
  readonly start: string
  readonly draft: RateDraft
  readonly refusal: string | undefined
  readonly onChange: (members: Partial<RateDraft>) => void
}

/** Which requests count, if not those that match: also by what the origin answered. */
function Counting({ start, draft, refusal, onChange }: CountingProps) {
  const { countsOthers, counting } = draft
  const problem = useMemo(() => countingProblemOf(counting), [counting])
  return (
    <>
      <label className="opt">
        <input
          type="checkbox"
          className="ck"
          checked={countsOthers}
          onChange={({ target }) => onChange({ countsOthers: target.checked, counting: start })}
        />
        <span>{text.countsOthers}</span>
      </label>
      {countsOthers && (
        <ExpressionField
          label={text.counting}
          editor={text.counting}
          hint={text.noCounting}
          start={start}
          written={counting}
          problem={problem}
          refusal={refusal}
          problemIn={countingProblemOf}
          names={COUNTING_NAMES}
          onEdited={(written) => onChange({ counting: written })}
        />
      )}
    </>
  )
}
