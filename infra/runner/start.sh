# What the container of a runner does: it registers for one job with GitHub, brings the tools that our workflows need, and runs the job.
# The credential (a token, or the private key of a GitHub App) stays with this script; the job is started without it.
set -euo pipefail
cd "${RUNNER_HOME:-/home/runner}"
api="${GITHUB_API:-https://api.github.com}"

base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

# ask <path> <token>: sends a POST and prints the token of the reply. The token goes by a file, since anyone may read command lines.
ask() {
  curl --fail-with-body --silent --show-error --retry 5 --max-time 60 --request POST \
    --header 'Accept: application/vnd.github+json' --header @<(printf 'Authorization: Bearer %s' "$2") "$api/$1" |
    jq --raw-output --exit-status .token
}

# The token of a GitHub App: a claim of ten minutes, signed with its key, is exchanged for one of its installation.
installation_token() {
  now=$(date +%s)
  head=$(printf '{"alg":"RS256","typ":"JWT"}' | base64url)
  claims=$(printf '{"iat":%d,"exp":%d,"iss":"%s"}' $((now - 60)) $((now + 540)) "$APPLICATION_ID" | base64url)
  signature=$(printf '%s.%s' "$head" "$claims" | openssl dgst -sha256 -sign <(printf '%s\n' "$GITHUB_CREDENTIAL") -binary | base64url)
  ask "app/installations/$INSTALLATION_ID/access_tokens" "$head.$claims.$signature"
}

token=$GITHUB_CREDENTIAL
if [ -n "${APPLICATION_ID:-}" ]; then token=$(installation_token); fi
registration=$(ask "repos/$REPOSITORY/actions/runners/registration-token" "$token")

# An image of your own may have the tools already. apt verifies the signatures of packages. The Azure CLI is pinned; the GitHub CLI has the
# version of the image's distribution, which keeps one (https://learn.microsoft.com/cli/azure/install-azure-cli-linux).
azure_cli=2.91.0
if ! command -v az > /dev/null; then
  distribution=$(. /etc/os-release && echo "$VERSION_CODENAME")
  key=/etc/apt/keyrings/microsoft.asc
  sudo mkdir -p /etc/apt/keyrings
  curl --fail --silent --show-error --location --retry 5 https://packages.microsoft.com/keys/microsoft.asc | sudo tee "$key" > /dev/null
  echo "deb [signed-by=$key] https://packages.microsoft.com/repos/azure-cli/ $distribution main" |
    sudo tee /etc/apt/sources.list.d/azure-cli.list > /dev/null
  sudo apt-get update
  sudo apt-get install --yes "azure-cli=$azure_cli-1~$distribution"
fi
if ! command -v gh > /dev/null; then sudo apt-get update && sudo apt-get install --yes gh; fi

./config.sh --unattended --ephemeral --no-default-labels --labels "$LABEL" --name "$(hostname)" \
  --url "https://github.com/$REPOSITORY" --token "$registration"
exec env --unset=GITHUB_CREDENTIAL ./run.sh
