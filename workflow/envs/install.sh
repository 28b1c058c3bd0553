#!/bin/sh
# Installs the wheel beside this file with the versions that requirements.txt pins, and nothing that only tests need.
set -eu
cd "$(dirname "$0")"
sed -e '/--hash=/d' -e 's/ \\$//' requirements.txt > constraints.txt
python -m pip install --no-cache-dir --disable-pip-version-check --constraint constraints.txt "$(ls ./*.whl)[all]"
rm constraints.txt
crossbank doctor
