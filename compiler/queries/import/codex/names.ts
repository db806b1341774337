// The documented settings of Codex: https://developers.openai.com/codex/config-reference, November 2026.

import type { KnownNames } from "../known-names.ts";
import { splitWords } from "../names.ts";

const TOP = `agents allow_login_shell analytics approval_policy approvals_reviewer apps apps_mcp_product_sku audio auto_review
background_terminal_max_timeout bypass_hook_trust chatgpt_base_url check_for_update_on_startup cli_auth_credentials_store compact_prompt debug
default_permissions desktop developer_instructions disable_paste_burst experimental_compact_prompt_file experimental_instructions_file
experimental_realtime_start_instructions experimental_realtime_ws_backend_prompt experimental_realtime_ws_base_url
experimental_realtime_ws_model experimental_realtime_ws_startup_context experimental_thread_config_endpoint experimental_thread_store
experimental_use_freeform_apply_patch experimental_use_unified_exec_tool features feedback file_opener forced_chatgpt_workspace_id
forced_login_method ghost_snapshot hide_agent_reasoning history hooks include_apps_instructions include_collaboration_mode_instructions
include_environment_context include_permissions_instructions instructions log_dir marketplaces mcp_oauth_callback_port
mcp_oauth_callback_url mcp_oauth_credentials_store mcp_servers memories model model_auto_compact_token_limit
model_auto_compact_token_limit_scope model_catalog_json model_context_window model_instructions_file model_max_output_tokens
model_provider model_providers model_reasoning_effort model_reasoning_summary model_supports_reasoning_summaries model_verbosity notice
notify openai_base_url oss_provider otel permissions personality plan_mode_reasoning_effort plugins profile profiles
project_doc_fallback_filenames project_doc_max_bytes project_root_markers projects realtime review_model sandbox_mode
sandbox_workspace_write service_tier shell_environment_policy show_raw_agent_reasoning skills sqlite_home
suppress_unstable_features_warning tool_output_token_limit tool_suggest tools tui web_search windows
windows_wsl_setup_acknowledged`;

export const NAMES: KnownNames = new Map([
  ["", splitWords(TOP)],
  ["sandbox_workspace_write", splitWords("exclude_slash_tmp exclude_tmpdir_env_var network_access writable_roots")],
  [
    "shell_environment_policy",
    splitWords("exclude experimental_use_profile ignore_default_excludes include_only inherit set"),
  ],
]);

export const SERVER_NAMES: ReadonlySet<string> =
  splitWords(`args auth bearer_token_env_var command cwd default_tools_approval_mode
disabled_tools enabled enabled_tools env env_http_headers env_vars environment_id experimental_environment http_headers name oauth
oauth_resource omit_tools_from required scopes startup_timeout_ms startup_timeout_sec supports_parallel_tool_calls tool_timeout_sec tools
url`);

export const APPROVALS = ["untrusted", "on-failure", "on-request", "never"] as const;
export const SANDBOXES = ["read-only", "workspace-write", "danger-full-access"] as const;
export const TOOL_APPROVALS = ["auto", "prompt", "writes", "approve"] as const;
