// The row of a rate limit in edit: which requests, counted by what, how many in which time, and what then.
import { useMemo, useState } from 'react'
import { Field } from '../../parts/field.tsx'
import { ruleStrings } from '../../strings/rules.ts'
import { ActionField } from './action-field.tsx'
import { characteristicProblem } from './characteristics.ts'
import { CharacteristicRows } from './characteristic-rows.tsx'
import { ExpressionField } from './expression-field.tsx'
import { COUNTING_NAMES, countingProblemOf, problemOf } from './expression-problem.ts'
import { numberProblem, readRate, writeRate, type RateDraft } from './rate-draft.ts'
import type { RuleFormProps } from './rule-form.tsx'
import { NameField, RuleFrame, useRefusals } from './rule-frame.tsx'

const text = ruleStrings.rate

const CHARACTERISTICS = 'ratelimit/characteristics'
const COUNTING = 'ratelimit/counting_expression'

/** A rule that counts scores has no number of requests. */
const numbersOf = (hasScore: boolean) =>
  [
    {
      member: 'requests',
      field: 'ratelimit/requests_per_period',
      label: text.requests,
      hint: undefined,
      bounds: { least: 1, isOptional: hasScore },
    },
    {
      member: 'period',
      field: 'ratelimit/period',
      label: text.period,
      hint: undefined,
      bounds: { least: 1, isOptional: false },
    },
    {
      member: 'timeout',
      field: 'ratelimit/mitigation_timeout',
      label: text.timeout,
      hint: text.timeoutHint,
      bounds: { least: 0, isOptional: true },
    },
  ] as const

export function RateLimitForm({ start, isNew, mayLog, isBusy, error, onSave, onCancel }: RuleFormProps) {
  const [first] = useState(() => readRate(start))
  const [draft, setDraft] = useState(first)
  const change = (members: Partial<RateDraft>): void => setDraft((current) => ({ ...current, ...members }))
  const { expression, characteristics } = draft
  const numbers = numbersOf(start.ratelimit?.score_per_period !== undefined)
  const problem = useMemo(() => problemOf(expression), [expression])
  const rows = characteristics.map((_, index) => `${CHARACTERISTICS}/${index}`)
  const fields = ['description', 'action', 'expression', COUNTING, CHARACTERISTICS, ...rows]
  const { other, setSent, refusalOf } = useRefusals(draft, error, [
    ...fields,
    ...numbers.map(({ field }) => field),
  ])
  const isWrong =
    problem !== undefined ||
    numbers.some(({ member, bounds }) => numberProblem(draft[member], bounds) !== undefined) ||
    characteristics.some((one) => characteristicProblem(one) !== undefined) ||
    (draft.counting.trim() !== '' && countingProblemOf(draft.counting) !== undefined)
  return (
    <RuleFrame
      isNew={isNew}
      isDisabled={isBusy || isWrong || (!isNew && JSON.stringify(draft) === JSON.stringify(first))}
      error={other}
      expression={expression}
      onSubmit={() => {
        setSent(draft)
        onSave(writeRate(draft, start.ratelimit))
      }}
      onCancel={onCancel}
    >
      <div className="line r">
        <NameField
          value={draft.description}
          refusal={refusalOf('description', 'description')}
          onChange={(description) => change({ description })}
        />
        <ActionField
          value={draft.action}
          own={start.action}
          hasOthers
          mayLog={mayLog}
          refusal={refusalOf('action', 'action')}
          onChange={(action) => change({ action })}
        />
      </div>
      <ExpressionField
        label={ruleStrings.form.when}
        start={first.expression}
        written={expression}
        problem={problem}
        refusal={refusalOf('expression', 'expression')}
        onEdited={(written) => change({ expression: written })}
      />
      <Numbers numbers={numbers} draft={draft} refusalOf={refusalOf} onChange={change} />
      <CharacteristicRows
        rows={characteristics}
        refusal={refusalOf(CHARACTERISTICS, 'characteristics')}
        refusalOf={(index) => refusalOf(`${CHARACTERISTICS}/${index}`, 'characteristics')}
        onChange={(changed) => change({ characteristics: changed })}
      />
      <Counting
        start={first.counting}
        written={draft.counting}
        refusal={refusalOf(COUNTING, 'counting')}
        onChange={(counting) => change({ counting })}
      />
    </RuleFrame>
  )
}

interface NumbersProps {
  readonly numbers: ReturnType<typeof numbersOf>
  readonly draft: RateDraft
  readonly refusalOf: (field: string, member: keyof RateDraft) => string | undefined
  readonly onChange: (members: Partial<RateDraft>) => void
}

const Numbers = ({ numbers, draft, refusalOf, onChange }: NumbersProps) => (
  <div className="line n">
    {numbers.map(({ member, field, label, hint, bounds }) => (
      <Field
        key={member}
        label={label}
        hint={hint}
        error={numberProblem(draft[member], bounds) ?? refusalOf(field, member)}
      >
        {(ids) => (
          <input
            {...ids}
            className="in short"
            inputMode="numeric"
            value={draft[member]}
            onChange={({ target }) => onChange({ [member]: target.value })}
          />
        )}
      </Field>
    ))}
  </div>
)

interface CountingProps {
  readonly start: string
  readonly written: string
  readonly refusal: string | undefined
  readonly onChange: (counting: string) => void
}

/** Which requests count, if not those that match: also by what the origin answered. */
function Counting({ start, written, refusal, onChange }: CountingProps) {
  const [isOpen, setOpen] = useState(start !== '')
  const problem = useMemo(() => countingProblemOf(written), [written])
  return (
    <>
      <label className="opt">
        <input
          type="checkbox"
          className="ck"
          checked={isOpen}
          onChange={({ target }) => {
            setOpen(target.checked)
            onChange(target.checked ? start : '')
          }}
        />
        <span>{text.countsOthers}</span>
      </label>
      {isOpen && (
        <ExpressionField
          label={text.counting}
          editor={text.counting}
          hint={text.noCounting}
          start={start}
          written={written}
          problem={problem}
          refusal={refusal}
          problemIn={countingProblemOf}
          names={COUNTING_NAMES}
          onEdited={onChange}
        />
      )}
    </>
  )
}
