/**
 * Events and instructions of the programs whose events are read, from the interface files (IDLs) their authors publish, made by
 * scripts/model/idl-table.ts. `events`: discriminator, name, widths of the fields behind it where the event is decoded
 * (bytes; s: a string; v34: a list of 34-byte elements; e8,0: a byte of choice and as many bytes as that choice has), nothing
 * where it is left out on purpose. `instructions`: discriminators. By the program's address.
 */
export interface Idl {
  readonly label: string
  readonly events: readonly (readonly [discriminator: string, name: string, widths: string])[]
  readonly instructions: string
}

export const IDL_TABLE: Readonly<Record<string, Idl>> = {
  '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P': {
    label: 'pump',
    events: [
      ['a4af574a582d213e', 'AddQuoteControlMintEvent', ''],
      ['6e7ce262aaff1178', 'AdminCtoEvent', ''],
      ['f53b46224bb96d5c', 'AdminSetIdlAuthorityEvent', ''],
      ['93fa6c78f71d43de', 'AdminUpdateTokenIncentivesEvent', ''],
      ['e2d6f62107f293e5', 'ClaimCashbackEvent', ''],
      ['4facf631cd5bcee8', 'ClaimTokenIncentivesEvent', ''],
      ['929fbdac925838f4', 'CloseUserVolumeAccumulatorEvent', ''],
      ['7a027f010ebf0caf', 'CollectCreatorFeeEvent', ''],
      ['5f72619cd42e9808', 'CompleteEvent', '32 32 32 8 32'],
      ['bde95db95c94ea94', 'CompletePumpAmmMigrationEvent', '32 32 8 8 8 32 8 32 32'],
      ['1b72a94ddeeb6376', 'CreateEvent', 's s s 32 32 32 32 8 8 8 8 8 32 1 1 32 8 8 1'],
      ['a537817004b3ca28', 'DistributeCreatorFeesEvent', ''],
      ['e3bed7ceb0b4a584', 'DistributeFeeToHoldersEvent', ''],
      ['6161d7905d92167c', 'ExtendAccountEvent', ''],
      ['86240d48e86582d8', 'InitUserVolumeAccumulatorEvent', ''],
      ['9ba768dcd56cf303', 'MigrateBondingCurveCreatorEvent', ''],
      ['a8d884efebb63134', 'MinimumDistributableFeeEvent', ''],
      ['2e21568600d5d130', 'RemoveQuoteControlMintEvent', ''],
      ['2bbcfa12dd4bbb5f', 'ReservedFeeRecipientsEvent', ''],
      ['ed347b25f5fb48d2', 'SetCreatorEvent', ''],
      ['8ecb06207f69bfa2', 'SetMetaplexCreatorEvent', ''],
      ['dfc39ff63e308f83', 'SetParamsEvent', ''],
      ['4af88d45ca511ef7', 'SetQuoteControlAdminEvent', ''],
      ['c57aa77c74515bff', 'SyncUserVolumeAccumulatorEvent', ''],
      ['bddb7fd34ee661ee', 'TradeEvent', '32 8 8 1 32 8 8 8 8 8 32 8 8 32 8 8 1 8 8 8 8 s 1 8 8 8 8 v34 32 8 8 8 8 8'],
      ['98c67c7c6af67fbf', 'UpdateCreatorFeeConfigEvent', ''],
      ['b6c3892a23cecff7', 'UpdateGlobalAuthorityEvent', ''],
      ['757be4b6a1a8dcd6', 'UpdateMayhemVirtualParamsEvent', ''],
    ],
    instructions: `
020e3d8aaa8e0e5f 6f79153828185ed1 7d7ed6864de5bc59 08d960e79068c005 d10b7357d5177ccc 66063d1201daebea
c2ab1c46684d5b2f 38fc74089edfcd5f b817ee6167c5d33d 253a237ebe35e4c5 7af3cc415e741d37 1004471ccc01281b
f945a4da9667548a 1416567bc61cdb84 cf118af204221338 181ec828051c0777 d6904cec5f8b31b4 a572670079cef751
ffcb134ff444089f 623691610246ad2b ea66c2cb96483ee5 75e17fca865f4423 5e06ca73ff60e8b7 afaf6d1f0d989bed
ef49f5add1b15442 9beae792ec9ea21e 577c34bf3426d6e8 bbcb121fceedfe29 df07fd1a51a5daa6 b141df2658d19e9b
33e685a4017f83ad 5df6823ce7e940b2 fe94ff70cf8eaaa5 3da9bcbf99952a61 8a60aed93055c5f6 1beab2349302bb8d
3e4fa1d3a5aad6d2 6faca2e87259d58e 6587bf6809581460 561fc057a3574fee 7367e0ffbd5956c3 1cffe6f0ac6bcbab
01096fd0641fffa3 fbe0ab92a01a71e9 3dafa0f9424288af e3b54ac4d01561d5 e1fc4204c723ec10`,
  },
  pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA: {
    label: 'pump_amm',
    events: [
      ['2ddc5d181961ac68', 'AdminSetCoinCreatorEvent', ''],
      ['bfc67fbc6dae0969', 'AdminSetCoinCreatorFeeEditableEvent', ''],
      ['93fa6c78f71d43de', 'AdminUpdateTokenIncentivesEvent', ''],
      ['3f451c16305cc2b9', 'BoostBuyAndBurnEvent', '8 32 32 32 32 8 8 8 16 8 8 8'],
      [
        '67f4521f2cf57777',
        'BuyEvent',
        '8 8 8 8 8 8 8 8 8 8 8 8 8 8 32 32 32 32 32 32 32 8 8 1 8 8 8 8 8 s 8 8 8 8 16 1 8',
      ],
      ['e2d6f62107f293e5', 'ClaimCashbackEvent', ''],
      ['4facf631cd5bcee8', 'ClaimTokenIncentivesEvent', ''],
      ['929fbdac925838f4', 'CloseUserVolumeAccumulatorEvent', ''],
      ['e8f5c2eeeada3a59', 'CollectCoinCreatorFeeEvent', ''],
      ['6b34598137e25116', 'CreateConfigEvent', ''],
      ['b1310cd2a076a774', 'CreatePoolEvent', '8 2 32 32 32 1 1 8 8 8 8 8 8 8 1 32 32 32 32 32 1 8 1'],
      ['78f83d531f8e6b90', 'DepositEvent', ''],
      ['6bfdc14ce4ca1b68', 'DisableEvent', ''],
      ['6161d7905d92167c', 'ExtendAccountEvent', ''],
      ['ae7c4af90451f611', 'InitBoostEvent', ''],
      ['86240d48e86582d8', 'InitUserVolumeAccumulatorEvent', ''],
      ['aadd52c793a5f72e', 'MigratePoolCoinCreatorEvent', ''],
      ['2bbcfa12dd4bbb5f', 'ReservedFeeRecipientsEvent', ''],
      ['3e2f370aa503dc2a', 'SellEvent', '8 8 8 8 8 8 8 8 8 8 8 8 8 8 32 32 32 32 32 32 32 8 8 8 8 8 8 16 1 8'],
      ['f2e7eb664163bdd3', 'SetBondingCurveCoinCreatorEvent', ''],
      ['5980f08d5bca4769', 'SetBoostAuthorityEvent', ''],
      ['e68af19e1ce8e4d3', 'SetCoinCreatorFeeBpsEvent', ''],
      ['966bc77b7ccf66e4', 'SetMetaplexCoinCreatorEvent', ''],
      ['c57aa77c74515bff', 'SyncUserVolumeAccumulatorEvent', ''],
      ['e198ab57f63f42ea', 'UpdateAdminEvent', ''],
      ['98c67c7c6af67fbf', 'UpdateCreatorFeeConfigEvent', ''],
      ['5a1741233ef4bcd0', 'UpdateFeeConfigEvent', ''],
      ['1609851aa02c47c0', 'WithdrawEvent', ''],
    ],
    instructions: `
f228759149606968 cc4156cf6e54ef68 d10b7357d5177ccc 694406af000723a2 66063d1201daebea c62e1552b4d9e870
253a237ebe35e4c5 1004471ccc01281b f945a4da9667548a a039592ab58b2b42 c9cff3724b6f2fbd e992d18ecf6840bc
f223c68952e1f2b6 b9adbb5ad80feee9 ea66c2cb96483ee5 8ce9215e845ac28f 5e06ca73ff60e8b7 d0089f044aaf103a
33e685a4017f83ad e3954c2a8227eacd d295802dbc3a4eaf 4259caed08769ea9 6faca2e87259d58e 561fc057a3574fee
75a1a04adf897663 7367e0ffbd5956c3 01096fd0641fffa3 8b348655e4e56cf1 01214eb921432c5c a1b028d53cb8b3e4
fbe0ab92a01a71e9 3dafa0f9424288af 68b867f258976b14 b712469c946da122`,
  },
  LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj: {
    label: 'launchlab',
    events: [
      ['15c2725778d3e220', 'ClaimVestedEvent', ''],
      ['96980bb334d2bf7d', 'CreateVestingEvent', ''],
      ['97d7e20976a173ae', 'PoolCreateEvent', '32 32 32 1 s s s e25,17,17 8 8 8 1'],
      ['bddb7fd34ee661ee', 'TradeEvent', '32 8 8 8 8 8 8 8 8 8 8 8 8 8 1 1 1'],
    ],
    instructions: `
faea0d7bd59c13ec 18d3742869039938 1a618acb84ab8dfc 9c27d0874ced3d48 75f1c6a8f8da501d 3121681ebd9d4f23
3cadf767045d8230 ffba96dfeb76c9ba c9cff3724b6f2fbd b05ac4affd71dc14 81b2020dd9ace6da afaf6d1f0d989bed
4399af27da102620 25be7ede2c9aab11 cf52c091fecf91df 885cc8671cda908c 1b1e3ea95de01891 9527de9bd37c981a
5fc8472208090ba6 1d9efcbf0a53db63 c33c4c81922d438f 8a908afadc800439`,
  },
  dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN: {
    label: 'meteora_dbc',
    events: [
      ['9ae4d7ca859bd68a', 'EvtClaimCreatorTradingFee', ''],
      ['956f952c8840af3e', 'EvtClaimPoolCreationFee', ''],
      ['baf44bfbbc0d1921', 'EvtClaimProtocolFee', ''],
      ['51a8741fa1561b23', 'EvtClaimProtocolLiquidityMigrationFee', ''],
      ['1a5375f05cca70fe', 'EvtClaimTradingFee', ''],
      ['6f2725376ed8c217', 'EvtCloseClaimFeeOperator', ''],
      ['1506997844741cb1', 'EvtCreateClaimFeeOperator', ''],
      ['83cfb4aeb449a536', 'EvtCreateConfig', ''],
      ['a34a42bb77c31a90', 'EvtCreateConfigV2', ''],
      ['63a7853fd68faf8b', 'EvtCreateMeteoraMigrationMetadata', ''],
      ['9849150f4257359d', 'EvtCreatorWithdrawSurplus', ''],
      ['e5e756549c864b18', 'EvtCurveComplete', '32 32 8 8'],
      ['e432f655cb428625', 'EvtInitializePool', '32 32 32 32 1 8'],
      ['aedf2c96916259c3', 'EvtPartnerClaimPoolCreationFee', ''],
      ['c87f06370d200896', 'EvtPartnerMetadata', ''],
      ['b5697f4308bb7839', 'EvtPartnerWithdrawMigrationFee', ''],
      ['c3389809e8482316', 'EvtPartnerWithdrawSurplus', ''],
      ['1b3c15d58aaabb93', 'EvtSwap', '32 32 1 1 8 8 8 8 16 8 8 8 8 8'],
      ['bd4233a826507599', 'EvtSwap2', '32 32 1 1 8 8 1 8 8 8 8 16 8 8 8 8 8 8'],
      ['6be1a5ed5b9ed5dc', 'EvtUpdatePoolCreator', ''],
      ['bc12484cc35b264a', 'EvtVirtualPoolMetadata', ''],
      ['bfbd688f6f9c5ee5', 'EvtWithdrawLeftover', ''],
      ['1acb5455a11764d6', 'EvtWithdrawMigrationFee', ''],
    ],
    instructions: `
52dcfabd03556b2d faee1a048b0a65f8 a5e4853063f9ff21 72cd53bcf0991936 08ec5931987db151 082957235030791a
ab09d54a7817031d c9cff3724b6f2fbd a75a899a4b2f1154 dd40f695f099e5a3 c0a8eabfbce2e3ff 2d61bb67fe6d7c86
a50389071c864c50 8c55d7b06636684f a976334e916edc9b 1b013016b43f76d9 8b85021e5b917f9a b137ee9dfb58a52a
9ca9e66735e45040 6dbd1324c3b7de52 2f5e7e73dde2c285 a8ad4864c962265c f8c69e91e17587c8 414b3f4ceb5b5b88
1407a9213a93a621 14c6caedebf3b742 ed8e2d178106dea2 d59bbb2238b65bf0`,
  },
  cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG: {
    label: 'damm_v2',
    events: [
      ['76634d0ae2010157', 'EvtClaimPartnerFee', ''],
      ['c6b6b734610c3138', 'EvtClaimPositionFee', ''],
      ['baf44bfbbc0d1921', 'EvtClaimProtocolFee', ''],
      ['da5693c8ebbcd7e7', 'EvtClaimReward', ''],
      ['241eef2d3a840e05', 'EvtCloseConfig', ''],
      ['149190448f8ed6b2', 'EvtClosePosition', ''],
      ['83cfb4aeb449a536', 'EvtCreateConfig', ''],
      ['e7c50da4f8d58598', 'EvtCreateDynamicConfig', ''],
      ['9c0f77c61db5dd37', 'EvtCreatePosition', ''],
      ['8d788674221c72a0', 'EvtCreateTokenBadge', ''],
      ['68e9ed7ac7bf7955', 'EvtFundReward', ''],
      ['e432f655cb428625', 'EvtInitializePool', '32 32 32 32 32 32 30 e0,32 16 16 1 1 16 16 8 1 1 8 8 8 8 1'],
      ['815bbc03f634b9f9', 'EvtInitializeReward', ''],
      ['c5ab4e7fe0d3570d', 'EvtLiquidityChange', ''],
      ['a83f6c53db5202c8', 'EvtLockPosition', ''],
      ['918fa2dada50430b', 'EvtPermanentLockPosition', ''],
      ['64d54a035f5be492', 'EvtSetPoolStatus', ''],
      ['a520cbae4864e967', 'EvtSplitPosition2', ''],
      ['bd4233a826507599', 'EvtSwap2', '32 1 1 1 8 8 1 8 8 8 8 16 8 8 8 8 8 8 8 8 8 8'],
      ['4ca5f66666d99c2c', 'EvtUpdatePoolFees', ''],
      ['958741e781994139', 'EvtUpdateRewardDuration', ''],
      ['4c9ad00d2873f692', 'EvtUpdateRewardFunder', ''],
      ['f8d7b84e1fb4b3a8', 'EvtWithdrawIneligibleReward', ''],
    ],
    instructions: `
b59d59438fb63448 61ce27695e5e7e94 b4269a118521a2d3 a5e4853063f9ff21 955fb5f25e5a9ea2 9109489d5f7d3d55
ab09d54a7817031d 7b86510031446262 6c92566eb3fe0a68 c9cff3724b6f2fbd 51fb7a4e4239d052 dd40f695f099e5a3
30d7c59960cbb485 58ce005b3caf9776 ea5fb0b9072a239f bc32f9a55d97263f 14a1f118bdddb402 5fb40aac54aee828
955248c5fdfc440f 5f87c0c4f281e644 e33e02fcf70aabb9 a5b07d06e7abbad5 095ed80e74ccf700 0a333d2370691855
5055d14818ceb16c 705787df53cc8435 acf1dd8aa11dfd2a dd93e4cf8cd41177 f8c69e91e17587c8 414b3f4ceb5b5b88
76d9cbb33c084659 8aaec4a9d5ebfe6b d31c3020d7a02317 94ce2ac3f7316708 d59bbb2238b65bf0`,
  },
}
