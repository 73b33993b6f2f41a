"""Cards of a round: drawn, put, turned, dealt again after an error. Those that left the shoe before their round wait
here for the next one, or make it a Free Hand.
"""
