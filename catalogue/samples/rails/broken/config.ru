raise "broken on purpose"
