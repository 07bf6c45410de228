import type { WalletPosition, WalletSummary } from '@ti/core/contract/positions.ts'
import type { Resource } from '../../api/resource.ts'
import { StepChart } from '../../charts/step-line.tsx'
import { Download } from '../../ui/download.tsx'
import { Flag } from '../../ui/flag.tsx'
import { Flow } from '../../ui/flow.tsx'
import { count, counted, duration, NONE, pct, SLOT_S, signedSol, toneOf } from '../../ui/format.ts'
import { fateColumn, LIFE_MEANS, Life, useLives } from '../../ui/life.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { type TokenColumn, TokenTable } from '../../ui/table.tsx'
import { Ago } from '../../ui/values.tsx'
import { profitSteps } from './words.ts'

interface PositionsProps {
  readonly address: string
  readonly positions: Resource<readonly WalletPosition[]>
  readonly summary: WalletSummary | null
}

/** The wallet’s tokens, one by one. */
export const Positions = ({ address, positions, summary }: PositionsProps) => (
  <Panel
    title="Its tokens"
    how="2-positions"
    note={
      summary === null || summary.complete
        ? 'all that it traded, the last one first'
        : `${count(summary.known)} of the ${count(summary.mints_bought)} it bought: the last ones`
    }
    actions={
      <Download
        name={`positions-${address}`}
        rows={() => (positions.data ?? []).map(({ group, ...row }) => ({ ...row, group: group?.name ?? null }))}
      />
    }
  >
    <Loaded of={positions}>
      {(data) =>
        data.length === 0 ? <Empty>None of its tokens is recorded any more.</Empty> : <Rows positions={data} />
      }
    </Loaded>
  </Panel>
)

const gain = (value: number | null): string => (value === null ? NONE : signedSol(value))

function Rows({ positions }: { positions: readonly WalletPosition[] }) {
  const lives = useLives(positions.map(({ mint }) => mint))
  const most = Math.max(...positions.flatMap(({ paid_sol, got_sol }) => [paid_sol, got_sol]))
  const columns: readonly TokenColumn<WalletPosition>[] = [
    { label: 'Launched', wide: true, cell: ({ deployed_at }) => <Ago at={deployed_at} /> },
    { label: 'Its life', means: LIFE_MEANS, cell: ({ mint }) => <Life life={lives.get(mint)} /> },
    {
      label: 'Money in and out',
      means: 'SOL paid and SOL got, drawn to one scale.',
      wide: true,
      cell: ({ paid_sol, got_sol }) => <Flow paid={paid_sol} got={got_sol} most={most} />,
    },
    { label: 'Holds', number: true, wide: true, means: 'Of total supply.', cell: ({ holds_pct }) => pct(holds_pct) },
    {
      label: 'Realised',
      number: true,
      cell: ({ realised_sol }) => gain(realised_sol),
      tone: ({ realised_sol }) => toneOf(realised_sol ?? 0),
    },
    {
      label: 'Unrealised',
      number: true,
      wide: true,
      means: 'What it still holds, at the last price, less what that cost.',
      cell: ({ unrealised_sol }) => gain(unrealised_sol),
      tone: ({ unrealised_sol }) => toneOf(unrealised_sol ?? 0),
    },
    {
      label: 'Part it played',
      wide: true,
      cell: ({ deployed, group }) => (
        <>
          {deployed && <Flag>launched it</Flag>}{' '}
          {group !== null && <Flag title="A confirmed group of coordinated wallets.">in {group.name}</Flag>}
        </>
      ),
    },
    { ...fateColumn(lives), wide: true },
  ]
  return (
    <TokenTable
      label="Tokens it traded"
      rows={positions}
      columns={columns}
      colourOf={({ mint }) => lives.get(mint)?.colour}
    />
  )
}

/** Its realised result, token by token; renders nothing before its first sale. `slot`: now */
export function Profit({ positions, slot }: { positions: readonly WalletPosition[]; slot: number }) {
  const steps = profitSteps(positions)
  const [first, last] = [steps[0], steps.at(-1)]
  if (first === undefined || last === undefined) return null
  const end = Math.max(slot, last.at)
  const ago = (slot: number): string => `${duration((end - slot) * SLOT_S)} ago`
  return (
    <Panel title="Profit over time" how="2-positions" note="realised on these tokens, each counted at its last sale">
      <StepChart
        label={`Realised over ${counted(steps.length, 'token')} since ${ago(first.at)}: ${signedSol(last.value)}`}
        points={steps.map(({ at, token, made, value }) => ({
          ...{ at, value },
          title: `${token}: ${signedSol(made)}, ${signedSol(value)} in all, ${ago(at)}`,
        }))}
        end={end}
        written={(value) => (value === 0 ? '0' : signedSol(value))}
        ends={[ago(first.at), 'now']}
      />
    </Panel>
  )
}
