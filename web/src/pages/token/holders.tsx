import type { TokenSnapshot } from '../../../../src/contract/resources.ts'
import { Bar } from '../../ui/bar.tsx'
import { Flag } from '../../ui/flag.tsx'
import { Address } from '../../ui/links.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tip } from '../../ui/tip.tsx'
import { Count, Pct } from '../../ui/values.tsx'
import css from './people.module.css'

/** Who owns how much of the whole supply. */
export function Holders({ holders, deployer }: { holders: TokenSnapshot['holders']; deployer: string | null }) {
  const shares = [
    ['Three largest', holders.top_3_pct],
    ['Five largest', holders.top_5_pct],
    ['Ten largest', holders.top_10_pct],
    ['All holders', holders.pct_supply_owned],
  ] as const
  return (
    <Panel
      title="Holders"
      note={
        <>
          <Count value={holders.count} /> wallets with at least one whole token
        </>
      }
    >
      <dl className={css.shares}>
        {shares.map(([label, pct]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Bar value={pct} label={`${label}, percent of supply`} />
            </dd>
            <dd className={css.pct}>
              <Pct value={pct} digits={1} />
            </dd>
          </div>
        ))}
      </dl>
      <p className={css.caption}>
        <Tip text="Percent of total supply. Tokens on the curve or in the pool belong to no holder.">
          percent of total supply
        </Tip>
      </p>
      {holders.top.length === 0 ? (
        <Empty>No holders.</Empty>
      ) : (
        <ol className={css.top} aria-label="Largest holders">
          {holders.top.map(({ address, pct_of_supply }) => (
            <li key={address}>
              <span>
                <Address value={address} kind="wallet" /> {address === deployer && <Flag>deployer</Flag>}
              </span>
              <Pct value={pct_of_supply} digits={2} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}
