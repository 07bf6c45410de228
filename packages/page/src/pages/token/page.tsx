import { useEffect, useState } from 'react'
import { Link, useRoute } from '../../shell/router.tsx'
import { Failure } from '../../ui/states.tsx'
import { Chart } from './chart.tsx'
import { Details, type Tab, tabOf } from './details.tsx'
import { firstWords } from './first.ts'
import { Head } from './head.tsx'
import { Money } from './money.tsx'
import css from './token.module.css'
import { useToken } from './use-token.ts'
import { Others, Story, Sure, Verdict, verdictThen } from './verdict.tsx'
import { titleOf } from './words.ts'

/** A slot in the address, as ?at=300000840; null: now. */
const slotOf = (text: string | null): number | null => (text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null)

/** What decides on one screen, and a panel with tabs below. The address names the tab and the moment. */
export default function Page({ id: mint }: { id: string }) {
  const { path, query, go } = useRoute()
  const [at, tab] = [slotOf(query.get('at')), tabOf(query.get('tab'))]
  const data = useToken(mint, at)
  const [words] = useState(() => firstWords(mint))
  const { snapshot, who, past } = data
  const { data: shown, error } = snapshot
  useEffect(() => {
    // the served page already has a title
    if (shown !== null || words === null)
      document.title = titleOf(mint, shown?.meta ?? null, shown?.score.value ?? null)
  }, [shown, words, mint])

  const show = (slot: number | null, name: Tab): void => {
    const named = new URLSearchParams([
      ...(slot === null ? [] : [['at', String(slot)]]),
      ...(name === 'holders' ? [] : [['tab', name]]),
    ])
    go(named.size === 0 ? path : `${path}?${named}`, { replace: true })
  }
  if (shown === null && error?.status === 404) return <Unknown mint={mint} />
  const now = who.data?.verdict.colour ?? words?.colour ?? null
  const colour = at === null || past.data === null ? now : verdictThen(data, past.data).colour
  return (
    <div className={css.page}>
      <Head mint={mint} data={data} words={words} colour={colour} />
      {shown !== null && error !== null && (
        <p className={css.stale} role="status">
          These numbers may be old; new ones have been requested. {error.message}
        </p>
      )}
      {shown === null && error !== null && <Failure error={error} retry={snapshot.refresh} />}
      <div className={css.screen}>
        <div className={css.left}>
          <div className={`${css.card} ${css.said}`}>
            <Verdict data={data} words={words} />
            <Story data={data} />
          </div>
          <Money data={data} />
        </div>
        <div className={css.right}>
          <Chart data={data} colour={colour ?? 'neutral'} show={(slot) => show(slot, tab)} />
          <div className={css.beneath}>
            <Sure data={data} />
            <Others data={data} />
          </div>
        </div>
      </div>
      <div className={css.card}>
        <Details data={data} tab={tab} choose={(name) => show(at, name)} />
      </div>
    </div>
  )
}

const Unknown = ({ mint }: { mint: string }) => (
  <div className={css.unknown}>
    <h1>This mint is not tracked</h1>
    <p className={css.address}>{mint}</p>
    <p>
      The service has seen neither a launch nor a trade of it on the launchpads it follows. If the token is only seconds
      old, it will appear here by itself.
    </p>
    <p>
      Is it a wallet? See <Link to={`/trader/${mint}`}>its trades</Link> or{' '}
      <Link to={`/deployer/${mint}`}>its launches</Link>. Or go <Link to="/">to the board</Link>.
    </p>
  </div>
)
