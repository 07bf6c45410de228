// Seeds that once found something, or that ordinary runs should not go without: every run of their suite runs them again,
// after everything else. A hunt prints the line to add.
//
//   file   the test file
//   seed   TEST_SEED of that run
//   depth  share of its runs that is needed to meet it again (1: as many as in test:all)
//   found  what it was, and when it was put right
export const REGRESSIONS = [
  {
    file: 'test/simulation/payments-facilitator.slow.test.ts',
    seed: 20_261_124,
    depth: 1,
    found: 'an even seed has the facilitator ask a node of ours: both ways are run',
  },
  {
    file: 'test/nodes/access.nodes.ts',
    seed: 20_261_124,
    depth: 1,
    found: 'an even seed pays through a facilitator, an odd one by our own fee payer: both ways are run',
  },
]
