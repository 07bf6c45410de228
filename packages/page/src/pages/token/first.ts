export const tokenPaths = (mint: string) => ({
  who: `/v1/tokens/${mint}/who`,
  snapshot: `/v1/tokens/${mint}`,
  explain: `/app/tokens/${mint}/explain`,
  line: `/app/tokens/${mint}/line`,
  trades: `/v1/tokens/${mint}/trades`,
})
