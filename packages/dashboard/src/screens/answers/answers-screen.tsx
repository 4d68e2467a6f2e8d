// Which record answered, and why: a query to the nameserver with the explanation of its answer.
import { useQuery } from '@tanstack/react-query'
import { Link, useLoaderData, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useShortcuts } from '../../app/shortcuts.ts'
import { answerTo, type WireQueryAnswer } from '../../api/answers.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Field } from '../../parts/field.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Section } from '../../parts/section.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { strings } from '../../strings.ts'
import { answerStrings as text } from '../../strings/answers.ts'

const DEFAULT_TYPE = 'A'

export function AnswersScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const { name, type = DEFAULT_TYPE } = useSearch({ from: '/frame/zones/$zone/query' })
  return (
    <>
      <title>{`${text.title} · ${zone.name} · ${strings.product}`}</title>
      <PageHead title={text.title} intro={text.intro} />
      <QuestionForm key={`${name} ${type}`} name={name} type={type} />
      {name === undefined ? (
        <Empty headline={text.emptyHeadline} detail={text.emptyDetail} command={text.command(zone.name)} />
      ) : (
        <AnswerOf zoneId={zone.id} zone={zone.name} name={name} type={type} />
      )}
    </>
  )
}

interface QuestionFormProps {
  readonly name: string | undefined
  readonly type: string
}

function QuestionForm({ name, type }: QuestionFormProps) {
  const navigate = useNavigate({ from: '/zones/$zone/query' })
  const [typed, setTyped] = useState(name ?? '@') // the zone itself at first
  const [chosen, setChosen] = useState(type)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  useShortcuts({ '/': () => input.current?.focus() })
  return (
    <form
      className="ask"
      onSubmit={(event) => {
        event.preventDefault()
        void navigate({ search: { name: typed.trim(), type: chosen } })
      }}
    >
      <TextField
        label={text.name}
        hint={text.nameHint}
        ref={input}
        value={typed}
        required
        onChange={setTyped}
        onKeyDown={({ key }) => key === 'Escape' && input.current?.blur()}
      />
      <Field label={text.type}>
        {(ids) => (
          <select {...ids} className="sel" value={chosen} onChange={({ target }) => setChosen(target.value)}>
            {[...new Set([...text.types, chosen])].map((option) => (
              <option key={option}>{option}</option>
            ))}
          </select>
        )}
      </Field>
      <button type="submit" className="btn primary">
        {text.ask}
      </button>
    </form>
  )
}

interface AnswerOfProps {
  readonly zoneId: string
  readonly zone: string
  readonly name: string
  readonly type: string
}

function AnswerOf({ zoneId, zone, name, type }: AnswerOfProps) {
  const answer = useQuery(answerTo(zoneId, name, type))
  if (answer.error !== null) return <Failure error={answer.error} onRetry={() => void answer.refetch()} />
  if (answer.data === undefined) return <Loading />
  return (
    <>
      <Sections answer={answer.data} />
      <Explanation answer={answer.data} />
      <Sources zone={zone} answer={answer.data} />
    </>
  )
}

interface AnswerProps {
  readonly answer: WireQueryAnswer
}

function Sections({ answer }: AnswerProps) {
  const sections = [
    { title: text.answer, lines: answer.answer },
    { title: text.authority, lines: answer.authority },
    { title: text.additional, lines: answer.additional },
  ]
  return (
    <Section title={answer.rcode} note={text.flags(answer.flags.join(' '))}>
      <div className="stack">
        {answer.truncated_over_udp && (
          <p className="row nowrap">
            <span className="warn">
              <Icon name="warning" />
            </span>
            <span>{text.truncated}</span>
          </p>
        )}
        {sections
          .filter(({ title, lines }) => title === text.answer || lines.length > 0)
          .map(({ title, lines }) => (
            <div key={title}>
              <h3 className="sub">{title}</h3>
              {lines.length === 0 ? (
                <p className="soft">{text.noAnswer}</p>
              ) : (
                <pre tabIndex={0} className="code lines">
                  {lines.join('\n')}
                </pre>
              )}
            </div>
          ))}
        <div className="row">
          <CopyButton text={`dig @${location.hostname} ${answer.name} ${answer.type}`} label={text.dig} />
        </div>
      </div>
    </Section>
  )
}

function Explanation({ answer }: AnswerProps) {
  return (
    <Section title={text.why} note={text.steps}>
      <ol className="steps">
        {answer.steps.map((step) => (
          <li key={step.name}>
            <p>
              <b className="mono">{step.name}</b>
            </p>
            <p className="prose">{step.explanation}</p>
            {step.chains.map(({ type, names }) => (
              <p key={type} className="small soft">
                {text.chain} {type}:{' '}
                {names.map((item, index) => (
                  <span key={item.name}>
                    {index > 0 && ' → '}
                    <span className="mono">{item.name}</span> ({item.served_here ? text.here : text.elsewhere}
                    )
                  </span>
                ))}
              </p>
            ))}
          </li>
        ))}
      </ol>
    </Section>
  )
}

function Sources({ zone, answer }: AnswerProps & { readonly zone: string }) {
  return (
    <Section title={text.sources} note={text.sourcesNote}>
      {answer.rrsets.length === 0 ? (
        <p className="soft">{text.noAnswer}</p>
      ) : (
        <table className="plain">
          <tbody>
            {answer.rrsets.map((rrset) => (
              <tr key={`${rrset.section} ${rrset.name} ${rrset.type}`}>
                <td className="mono">
                  <b>{rrset.name}</b>
                </td>
                <td className="w88 ty">{rrset.type}</td>
                <td className="w320 soft">{text.madeFrom[rrset.source]}</td>
                <td className="w136 num">
                  {rrset.record_ids[0] !== undefined && (
                    <Link
                      className="link"
                      to="/zones/$zone/records"
                      params={{ zone }}
                      search={{ q: `name:${rrset.name} type:${rrset.type}`, edit: rrset.record_ids[0] }}
                    >
                      {text.openRecord}
                    </Link>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}
