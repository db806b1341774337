// The documented settings of Claude Code: https://code.claude.com/docs/en/settings-reference, November 2026.

import { splitWords } from "../names.ts";

/** Keys that Claude Code reads in every settings file, or in the user's settings files. */
const ANYWHERE = `$schema advisorModel agent agentPushNotifEnabled allowedHttpHookUrls allowedMcpServers alwaysThinkingEnabled apiKeyHelper
askUserQuestionTimeout attribution autoCompactEnabled autoCompactWindow autoMemoryDirectory autoMemoryEnabled autoMode autoScrollEnabled
autoUpdatesChannel availableModels awaySummaryEnabled awsAuthRefresh awsCredentialExport axScreenReader claudeMdExcludes
cleanupPeriodDays companyAnnouncements crossSessionInbound defaultShell deniedMcpServers dialogExpiry disableAgentView disableAllHooks
disableArtifact disableAutoMode disableBundledSkills disableClaudeAiConnectors disableDeepLinkRegistration disableRemoteControl
disableSkillShellExecution disableWorkflows disabledMcpjsonServers editorMode effortLevel emojiCompletionEnabled
enableAllProjectMcpServers enableArtifact enableWorkflows enabledMcpjsonServers enabledPlugins enforceAvailableModels env
extraKnownMarketplaces fallbackModel fastMode fastModePerSessionOptIn feedbackSurveyRate fileCheckpointingEnabled fileSuggestion
footerLinksRegexes forceLoginMethod forceLoginOrgUUID gcpAuthRefresh hooks httpHookAllowedEnvVars includeCoAuthoredBy
includeGitInstructions inputNeededNotifEnabled isolatePeerMachines keybindingFlavor language minimumVersion model modelOverrides
otelHeadersHelper outputStyle permissions plansDirectory pluginConfigs prUrlTemplate preferredNotifChannel prefersReducedMotion
processWrapper promptSuggestionEnabled remote remoteControlAtStartup respectGitignore respondToBashCommands sandbox
showClearContextOnPlanAccept showThinkingSummaries showTurnDuration skillListingBudgetFraction skillListingMaxDescChars skillOverrides
skipAutoPermissionPrompt skipDangerousModePermissionPrompt skipWebFetchPreflight spellcheck spinnerTipsEnabled spinnerTipsOverride
spinnerVerbs sshConfigs statusLine subagentStatusLine switchModelsOnFlag syncClaudeAiSkills syntaxHighlightingDisabled teammateMode
terminalProgressBarEnabled terminalTitleFromRename theme tui ultracode useAutoModeDuringPlan verbose viewMode vimInsertModeRemaps voice
voiceEnabled wheelScrollAccelerationEnabled workflowKeywordTriggerEnabled workflowSizeGuideline worktree`;

/** Keys that are read only in managed settings. */
export const MANAGED_ONLY: ReadonlySet<string> =
  splitWords(`allowAllClaudeAiMcps allowManagedHooksOnly allowManagedMcpServersOnly
allowManagedPermissionRulesOnly allowedChannelPlugins blockedMarketplaces browserExternalPageTools channelsEnabled claudeMd
disableBrowserExternalNavigation disableCommandPluginSources disableMobileSimulatorTools disableSideloadFlags forceLoginGatewayUrl
forceRemoteSettingsRefresh parentSettingsBehavior pluginSuggestionMarketplaces pluginTrustMessage policyHelper requiredMaximumVersion
requiredMinimumVersion sshHostAllowlist strictKnownMarketplaces strictPluginOnlyCustomization wslInheritsWindowsSettings`);

/** Keys that are read only in `~/.claude.json`. */
export const GLOBAL_ONLY: ReadonlySet<string> = splitWords(
  "autoConnectIde autoInstallIdeExtension diffTool externalEditorContext permissionExplainerEnabled teammateDefaultModel",
);

/**
 * The documented names of the properties of each object, by the path of the object. In other objects, such as `env`, a
 * person chooses the names.
 */
export const KNOWN_KEYS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["", new Set([...splitWords(ANYWHERE), ...MANAGED_ONLY, ...GLOBAL_ONLY])],
  [
    "permissions",
    splitWords(`allow ask deny additionalDirectories blockReadsOutsideWorkingDirectories blockWritesOutsideWorkingDirectories defaultMode
    denyInsteadOfPrompting disableBypassPermissionsMode disableAutoMode`),
  ],
  ["autoMode", splitWords("environment allow soft_deny hard_deny classifyAllShell")],
  [
    "sandbox",
    splitWords(`enabled failIfUnavailable autoAllowBashIfSandboxed excludedCommands allowUnsandboxedCommands filesystem network credentials
    ignoreViolations enableWeakerNestedSandbox enableWeakerNetworkIsolation allowAppleEvents ripgrep bwrapPath socatPath`),
  ],
  ["sandbox.filesystem", splitWords("allowWrite denyWrite denyRead allowRead allowManagedReadPathsOnly disabled")],
  [
    "sandbox.network",
    splitWords(`allowUnixSockets allowAllUnixSockets allowLocalBinding allowMachLookup allowedDomains deniedDomains strictAllowlist
    allowManagedDomainsOnly httpProxyPort socksProxyPort tlsTerminate`),
  ],
  ["sandbox.credentials", splitWords("files envVars allowPlaintextInject awsPairs sigv4")],
  [
    "hooks",
    splitWords(`ConfigChange CwdChanged DirectoryAdded Elicitation ElicitationResult FileChanged InstructionsLoaded MessageDisplay
    Notification PermissionDenied PermissionRequest PostCompact PostToolBatch PostToolUse PostToolUseFailure PreCompact PreToolUse
    SessionEnd SessionStart Setup Stop StopFailure SubagentStart SubagentStop TaskCompleted TaskCreated TeammateIdle
    UserPromptExpansion UserPromptSubmit WorktreeCreate WorktreeRemove`),
  ],
]);

/** Names of tools: https://code.claude.com/docs/en/tools-reference, with names of earlier versions. */
export const TOOLS: ReadonlySet<string> =
  splitWords(`Agent Artifact AskUserQuestion Bash BashOutput Cd CronCreate CronDelete CronList Edit
EndConversation EnterPlanMode EnterWorktree ExitPlanMode ExitWorktree Glob Grep KillBash KillShell LS ListAgents ListMcpResourcesTool LSP
Monitor MultiEdit NotebookEdit NotebookRead PowerShell PushNotification Read ReadMcpResourceTool RemoteTrigger ReportFindings
ScheduleWakeup SendMessage SendUserFile ShareOnboardingGuide Skill SlashCommand Task TaskCreate TaskGet TaskList TaskOutput TaskStop
TaskUpdate TodoRead TodoWrite ToolSearch WaitForMcpServers WebFetch WebSearch Workflow Write`);

/** Tools for which an `allow` rule may contain a text in parentheses. */
export const WITH_SPECIFIER: ReadonlySet<string> = splitWords(
  `Agent Bash Cd Edit Glob Grep LS LSP Monitor MultiEdit NotebookEdit NotebookRead PowerShell Read Skill SlashCommand Task WebFetch Write`,
);

export const MODES: ReadonlySet<string> = splitWords("default acceptEdits plan auto dontAsk bypassPermissions manual");
