// Traces a described request: what each phase does with it, and the decision.
import { useMutation } from '@tanstack/react-query'
import { useLoaderData, useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { traceRequest } from '../../api/firewall-trace.ts'
import { Field } from '../../parts/field.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { Empty, Loading } from '../../parts/states.tsx'
import { strings } from '../../strings.ts'
import { traceStrings as text } from '../../strings/trace.ts'
import { readCurl, type CurlProblem } from './curl-command.ts'
import { describedRequest, wrongHeader, type RequestForm } from './described-request.ts'
import { TraceResult } from './trace-result.tsx'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export function TraceScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const search = useSearch({ from: '/frame/zones/$zone/trace' })
  const navigate = useNavigate({ from: '/zones/$zone/trace' })
  const [form, setForm] = useState<RequestForm>({
    method: search.method ?? 'GET',
    url: search.url ?? `https://${zone.name}/`,
    ip: search.ip ?? '192.0.2.1',
    headers: 'user-agent: Mozilla/5.0',
    body: '',
  })
  const trace = useMutation({ mutationFn: () => traceRequest(zone.id, describedRequest(form)) })
  const wrong = wrongHeader(form.headers)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const { method, url, ip } = form
    void navigate({ search: { method, url, ip }, replace: true, resetScroll: false })
    trace.mutate()
  }
  return (
    <>
      <title>{`${text.title} · ${zone.name} · ${strings.product}`}</title>
      <PageHead title={text.title} intro={text.intro} />
      <Section title={text.request}>
        <form className="stack" onSubmit={submit}>
          <CurlField onRead={(read) => setForm((last) => ({ ...last, ...read }))} />
          <RequestFields form={form} onChange={setForm} wrong={wrong} />
          {search.url !== undefined && trace.data === undefined && <p className="soft">{text.fromEvent}</p>}
          <div className="row">
            <button type="submit" className="btn primary" disabled={trace.isPending || wrong !== undefined}>
              {text.run}
            </button>
          </div>
          <Problem error={trace.error} />
        </form>
      </Section>
      {trace.isPending && <Loading />}
      {trace.data !== undefined && <TraceResult trace={trace.data} />}
      {trace.isIdle && (
        <Empty
          headline={text.empty}
          detail={text.emptyDetail}
          command={text.command(location.origin, zone.id, zone.name)}
        />
      )}
    </>
  )
}

interface CurlFieldProps {
  readonly onRead: (read: Partial<RequestForm>) => void
}

function CurlField({ onRead }: CurlFieldProps) {
  const [problem, setProblem] = useState<CurlProblem>()
  const read = (command: string): void => {
    if (command.trim() === '') return setProblem(undefined)
    const result = readCurl(command.trim())
    if ('kind' in result) return setProblem(result)
    setProblem(undefined)
    const { method, url, headers, body } = result
    onRead({ method, url, headers: headers.join('\n'), body })
  }
  return (
    <Field
      label={text.curl}
      hint={text.curlHint}
      error={problem === undefined ? undefined : problemText(problem)}
    >
      {(ids) => (
        <textarea
          {...ids}
          className="in"
          rows={2}
          spellCheck={false}
          onChange={({ target }) => read(target.value)}
        />
      )}
    </Field>
  )
}

function problemText(problem: CurlProblem): string {
  if (problem.kind === 'option' || problem.kind === 'file')
    return text.curlProblems[problem.kind](problem.name)
  return text.curlProblems[problem.kind]
}

interface RequestFieldsProps {
  readonly form: RequestForm
  readonly wrong: string | undefined
  readonly onChange: (form: RequestForm) => void
}

function RequestFields({ form, wrong, onChange }: RequestFieldsProps) {
  const control = (member: keyof RequestForm) => ({
    value: form[member],
    spellCheck: false,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      onChange({ ...form, [member]: target.value }),
  })
  return (
    <>
      <div className="request-line">
        <Field label={text.method}>
          {(ids) => (
            <select {...ids} className="sel" {...control('method')}>
              {[...new Set([...METHODS, form.method])].map((method) => (
                <option key={method}>{method}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label={text.url}>
          {(ids) => <input {...ids} className="in" {...control('url')} required />}
        </Field>
        <Field label={text.ip}>{(ids) => <input {...ids} className="in" {...control('ip')} />}</Field>
      </div>
      <Field
        label={text.headers}
        hint={text.headersHint}
        error={wrong === undefined ? undefined : text.headersWrong(wrong)}
      >
        {(ids) => <textarea {...ids} className="in" rows={3} {...control('headers')} />}
      </Field>
      <Field label={text.body}>
        {(ids) => <textarea {...ids} className="in" rows={2} {...control('body')} />}
      </Field>
    </>
  )
}
